/**
 * Templates: parts of algorithms over one sub-communicator, which the families of plugins share.
 * Each plugin jar contains a copy of them.
 */
@NullMarked
package dev.tutti.plugins.template;

import org.jspecify.annotations.NullMarked;
