package dev.tutti.cli;

/**
 * A command within the host that serves.
 *
 * @param host carries it out
 * @param command its words, for people
 */
record Session(LiveHost host, String command) {}
