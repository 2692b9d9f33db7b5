/** Runs a host that keeps working while its plugins change, and shows its state. */
@NullMarked
package dev.tutti.cli.serve;

import org.jspecify.annotations.NullMarked;
