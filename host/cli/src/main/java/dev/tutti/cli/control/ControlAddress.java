package dev.tutti.cli.control;

import java.nio.file.Path;

/**
 * The address of a host.
 *
 * @param pid its process
 * @param socket its Unix domain socket
 */
record ControlAddress(long pid, Path socket) {}
