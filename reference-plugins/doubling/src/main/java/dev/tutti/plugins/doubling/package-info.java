/**
 * Recursive doubling and halving: in each step every rank exchanges with the rank whose number
 * differs in one bit.
 */
@NullMarked
package dev.tutti.plugins.doubling;

import org.jspecify.annotations.NullMarked;
