/**
 * The trust scores of advertisements, computed by a batch daemon: its figures, a row that cannot be written, a stall, and the
 * end of both. Copy from {@code Ads.daemon} and {@code Operator}; begin reading at {@code Scoring}.
 */
@NullMarked
package dev.tributary.examples.trustscore;

import org.jspecify.annotations.NullMarked;
