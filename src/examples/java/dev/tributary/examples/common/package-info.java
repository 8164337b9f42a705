/** What the examples share: their server, their properties and how they end. */
@NullMarked
package dev.tributary.examples.common;

import org.jspecify.annotations.NullMarked;
