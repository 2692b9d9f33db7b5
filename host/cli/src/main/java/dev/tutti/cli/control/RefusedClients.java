package dev.tutti.cli.control;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/** Counts the clients that a control server refused, and keeps the last reason. Thread-safe. */
public final class RefusedClients {

  private final InstantSource clock;
  private long count;
  private Instant time = Instant.EPOCH;
  private String reason = "";

  /**
   * Starts without clients.
   *
   * @param clock the clock of the times
   */
  public RefusedClients(InstantSource clock) {
    this.clock = clock;
  }

  /**
   * A summary of these clients.
   *
   * @param count the number of clients
   * @param time the time when the last one was refused
   * @param reason the last reason, a sentence without its full stop
   */
  public record Summary(long count, Instant time, String reason) {}

  synchronized void add(String sentence) {
    count++;
    time = clock.instant();
    reason = sentence;
  }

  /** A summary of these clients; empty if there are none. */
  public synchronized Optional<Summary> summary() {
    return count == 0 ? Optional.empty() : Optional.of(new Summary(count, time, reason));
  }
}
