/**
 * Trees and chains: every rank talks to its parent and its children only, from a root of the
 * caller's choice.
 */
@NullMarked
package dev.tutti.plugins.tree;

import org.jspecify.annotations.NullMarked;
