package dev.tutti.cli.host;

import java.time.Instant;

/**
 * A group of the host that serves.
 *
 * @param user the command that uses it
 * @param since when it was made
 * @param ranks its ranks
 */
public record GroupUse(String user, Instant since, int ranks) {}
