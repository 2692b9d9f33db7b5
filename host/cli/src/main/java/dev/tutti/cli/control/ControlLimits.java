package dev.tutti.cli.control;

import java.time.Duration;

/**
 * What a client may take of a host.
 *
 * @param clients how many at once
 * @param requestBytes the length of a request
 * @param request the time to send one
 * @param answer the time to take in one line of the answer
 * @param drain how long the end of the host waits for commands
 */
record ControlLimits(
    int clients, int requestBytes, Duration request, Duration answer, Duration drain) {

  static final ControlLimits DEFAULTS =
      new ControlLimits(
          64, 64 << 10, Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofSeconds(5));

  /** The longest line of an answer: a piece of text whose every character is escaped, and more. */
  static final int ANSWER_BYTES = 256 << 10;

  ControlLimits withRequest(Duration time) {
    return new ControlLimits(clients, requestBytes, time, answer, drain);
  }

  ControlLimits withAnswer(Duration time) {
    return new ControlLimits(clients, requestBytes, request, time, drain);
  }

  ControlLimits withDrain(Duration time) {
    return new ControlLimits(clients, requestBytes, request, answer, time);
  }

  ControlLimits withClients(int count) {
    return new ControlLimits(count, requestBytes, request, answer, drain);
  }
}
