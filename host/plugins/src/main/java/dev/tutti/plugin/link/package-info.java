/** Reads the class files of a jar, and finds what they need and what they may not use. */
@NullMarked
package dev.tutti.plugin.link;

import org.jspecify.annotations.NullMarked;
