/**
 * The price-refresh service: supplier events become jobs, one pending per catalogue; a recalculation engine does or
 * refuses them. Copy from {@code Producer}, {@code RefreshHandler} and {@code WorkerMain}; begin reading at {@code PriceRefresh}.
 */
@NullMarked
package dev.tributary.examples.pricerefresh;

import org.jspecify.annotations.NullMarked;
