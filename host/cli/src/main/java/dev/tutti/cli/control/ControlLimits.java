package dev.tutti.cli.control;

import java.time.Duration;

/**
 * The limits for clients of a host.
 *
 * @param clients the number of clients at once
 * @param requestBytes the length of a request in bytes
 * @param request the time to send a request
 * @param answer the time to receive one line of the answer
 * @param drain the time that a host waits for running commands before it ends
 */
record ControlLimits(
    int clients, int requestBytes, Duration request, Duration answer, Duration drain) {

  static final ControlLimits DEFAULTS =
      new ControlLimits(
          64, 64 << 10, Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofSeconds(5));

  /** The longest line of an answer in bytes, even if every character of its text is escaped. */
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
