package dev.tutti.cli.control;

import java.nio.file.Path;

/**
 * Where a host can be reached.
 *
 * @param pid its process
 * @param socket its Unix domain socket
 */
record ControlAddress(long pid, Path socket) {}
