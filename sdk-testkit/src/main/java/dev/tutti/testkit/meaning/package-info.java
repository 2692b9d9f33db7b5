/** What each operation means: which inputs every piece of its result is made of. */
@NullMarked
package dev.tutti.testkit.meaning;

import org.jspecify.annotations.NullMarked;
