/**
 * The parts of requests in commands: operations, groups, sizes, and the options that several
 * commands share.
 */
@NullMarked
package dev.tutti.cli.options;

import org.jspecify.annotations.NullMarked;
