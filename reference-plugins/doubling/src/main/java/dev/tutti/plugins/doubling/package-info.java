/**
 * Recursive doubling: in step k every rank exchanges with the rank whose number differs in bit k.
 */
@NullMarked
package dev.tutti.plugins.doubling;

import org.jspecify.annotations.NullMarked;
