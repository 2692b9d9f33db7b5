/**
 * The communication with a serving host: a Unix domain socket that only the owner may use, and
 * commands and their output as lines of JSON.
 */
@NullMarked
package dev.tutti.cli.control;

import org.jspecify.annotations.NullMarked;
