/** Ring algorithms: every rank talks to its two neighbours only. */
@NullMarked
package dev.tutti.plugins.ring;

import org.jspecify.annotations.NullMarked;
