/**
 * What all parts of a group share, and the life of its operations: one slot for runs, plans,
 * bindings, memory.
 */
@NullMarked
package dev.tutti.host.group;

import org.jspecify.annotations.NullMarked;
