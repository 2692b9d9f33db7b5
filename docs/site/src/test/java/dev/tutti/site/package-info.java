/** The documentation as a site. */
@NullMarked
package dev.tutti.site;

import org.jspecify.annotations.NullMarked;
