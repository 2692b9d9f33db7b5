/** What holds for all reference plugins together. */
@NullMarked
package dev.tutti.plugins.catalogue;

import org.jspecify.annotations.NullMarked;
