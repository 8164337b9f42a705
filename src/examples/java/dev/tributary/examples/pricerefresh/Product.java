package dev.tributary.examples.pricerefresh;

/**
 * A product of a catalogue. Up to its last slash an id names the article, so {@code sku-10482/38} and
 * {@code sku-10482/39} are variants of one.
 */
record Product(String catalogId, String productId) {
    Product article() {
        int slash = productId.lastIndexOf('/');
        return slash < 0 ? this : new Product(catalogId, productId.substring(0, slash));
    }
}
