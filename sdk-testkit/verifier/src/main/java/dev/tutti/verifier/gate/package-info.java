/**
 * The gate through which the host and the testkit call code of plugins. It limits processor time
 * and memory, copies what the code throws, and ends the code at stop points.
 */
@NullMarked
package dev.tutti.verifier.gate;

import org.jspecify.annotations.NullMarked;
