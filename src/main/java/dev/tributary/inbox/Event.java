package dev.tributary.inbox;

/**
 * Something that happened elsewhere, as it is delivered; it may come again. It is looked at when it is ingested, not before.
 *
 * @param businessKey what names the event at its sender: 1 to 1,024 bytes of UTF-8 without U+0000 and lone surrogates
 * @param payloadJson any JSON that PostgreSQL can store, up to 16,777,216 bytes of UTF-8
 */
public record Event(String businessKey, String payloadJson) {}
