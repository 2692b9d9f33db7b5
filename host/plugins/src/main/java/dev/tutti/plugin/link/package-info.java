/** Checks of a jar's class files: references to missing types, and uses that are not allowed. */
@NullMarked
package dev.tutti.plugin.link;

import org.jspecify.annotations.NullMarked;
