/**
 * The annotation processor that spares authors the services file: it checks that every class with
 * {@link dev.tutti.sdk.CollAlgorithm} can be a service provider, and lists it as one.
 */
@NullMarked
package dev.tutti.sdk.processor;

import org.jspecify.annotations.NullMarked;
