/**
 * The shared parts of a group, and the life cycle of its operations: the slot for runs, plans,
 * bindings and memory.
 */
@NullMarked
package dev.tutti.host.group;

import org.jspecify.annotations.NullMarked;
