/**
 * The one gate through which code of plugins is called: limits of processor time and memory, copies
 * of what it throws, and stop points that end it.
 */
@NullMarked
package dev.tutti.verifier.gate;

import org.jspecify.annotations.NullMarked;
