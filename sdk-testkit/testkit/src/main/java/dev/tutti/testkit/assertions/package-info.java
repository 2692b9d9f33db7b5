/**
 * Fluent assertions on what the testkit finds, for any test framework: a failure is a plain {@link
 * AssertionError}.
 */
@NullMarked
package dev.tutti.testkit.assertions;

import org.jspecify.annotations.NullMarked;
