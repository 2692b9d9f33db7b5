/**
 * The JDK members that a plugin may use: one table for the host's checks and for authors' tests.
 */
@NullMarked
package dev.tutti.verifier.capability;

import org.jspecify.annotations.NullMarked;
