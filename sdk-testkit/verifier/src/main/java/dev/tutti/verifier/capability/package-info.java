/**
 * What a plugin may use of the JDK: the one table, for the host's checks and for authors' tests.
 */
@NullMarked
package dev.tutti.verifier.capability;

import org.jspecify.annotations.NullMarked;
