/**
 * Trees and chains: every rank talks only to its parent and its children. The caller chooses the
 * root.
 */
@NullMarked
package dev.tutti.plugins.tree;

import org.jspecify.annotations.NullMarked;
