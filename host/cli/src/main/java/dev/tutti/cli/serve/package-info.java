/** Runs a host that keeps working while its plugins come and go, and shows how it is. */
@NullMarked
package dev.tutti.cli.serve;

import org.jspecify.annotations.NullMarked;
