/**
 * JVMs of the same classes in processes of their own: they can be killed, their memory and
 * processor time are bounded, and objects in them have other hash codes.
 */
@NullMarked
package dev.tutti.verifier.process;

import org.jspecify.annotations.NullMarked;
