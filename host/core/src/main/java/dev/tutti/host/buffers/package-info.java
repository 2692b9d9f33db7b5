/**
 * The callers' buffers. They are checked against a call and each other, copied where peers cannot
 * reach them, and bound to plans.
 */
@NullMarked
package dev.tutti.host.buffers;

import org.jspecify.annotations.NullMarked;
