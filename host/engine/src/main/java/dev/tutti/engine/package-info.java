/**
 * The engine: compiles plans to flat programs and runs them, any number of ranks on few threads. It
 * knows plans and memory, and neither plugins nor groups.
 */
@NullMarked
package dev.tutti.engine;

import org.jspecify.annotations.NullMarked;
