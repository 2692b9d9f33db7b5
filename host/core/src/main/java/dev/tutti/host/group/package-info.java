/**
 * The parts that a group shares, and the life of its operations: the slot for runs, plans, bindings
 * and memory.
 */
@NullMarked
package dev.tutti.host.group;

import org.jspecify.annotations.NullMarked;
