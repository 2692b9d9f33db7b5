/**
 * Pieces of algorithms over one sub-communicator, shared by the families of plugins: each plugin
 * jar carries a copy of them.
 */
@NullMarked
package dev.tutti.plugins.template;

import org.jspecify.annotations.NullMarked;
