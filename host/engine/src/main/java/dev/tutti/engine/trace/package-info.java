/** What ranks did in one run, and when: plain values. */
@NullMarked
package dev.tutti.engine.trace;

import org.jspecify.annotations.NullMarked;
