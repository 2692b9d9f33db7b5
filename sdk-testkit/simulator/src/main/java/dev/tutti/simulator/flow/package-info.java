/**
 * A group plan as streams of events: flattened, walked in a legal order, with its memories cut into
 * segments.
 */
@NullMarked
package dev.tutti.simulator.flow;

import org.jspecify.annotations.NullMarked;
