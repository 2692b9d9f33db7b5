/**
 * The communication with a host that serves: a Unix domain socket that only the owner may use, and
 * commands and their output as lines of JSON.
 */
@NullMarked
package dev.tutti.cli.control;

import org.jspecify.annotations.NullMarked;
