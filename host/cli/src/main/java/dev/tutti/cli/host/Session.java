package dev.tutti.cli.host;

/**
 * A command that runs within the host that serves.
 *
 * @param host runs it
 * @param command its words, for messages
 */
public record Session(LiveHost host, String command) {}
