/** The resources that a plan asks for, and those that it uses. */
@NullMarked
package dev.tutti.verifier.resource;

import org.jspecify.annotations.NullMarked;
