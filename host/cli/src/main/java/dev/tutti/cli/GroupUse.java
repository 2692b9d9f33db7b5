package dev.tutti.cli;

import java.time.Instant;

/**
 * A group of the host that serves.
 *
 * @param user the command that has it
 * @param since when it came to be
 * @param ranks its ranks
 */
record GroupUse(String user, Instant since, int ranks) {}
