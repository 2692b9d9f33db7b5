/**
 * Child JVMs with the same classes, each in a separate process. They can be killed, their memory
 * and processor time are limited, and objects in them have other hash codes.
 */
@NullMarked
package dev.tutti.verifier.process;

import org.jspecify.annotations.NullMarked;
