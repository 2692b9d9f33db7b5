/**
 * The annotation processor that writes the services file. It checks that every class with {@link
 * dev.tutti.sdk.CollAlgorithm} can be a service provider, and lists it.
 */
@NullMarked
package dev.tutti.sdk.processor;

import org.jspecify.annotations.NullMarked;
