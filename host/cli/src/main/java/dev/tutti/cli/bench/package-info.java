/** Runs operations and shows how long they take. */
@NullMarked
package dev.tutti.cli.bench;

import org.jspecify.annotations.NullMarked;
