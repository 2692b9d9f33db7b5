package dev.tutti.host.pool.rules;

import dev.tutti.base.text.Sentence;
import dev.tutti.sdk.Arguments;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The measured time of an algorithm for a request.
 *
 * @param seconds the time by which it is compared with others: the measured time if the request was
 *     measured in only one state of the machine, else the worst ratio times the mean of the
 *     shortest times
 * @param bytes the message size of {@code states}: that of the request, or the nearest measured
 *     size below it
 * @param states the times for that size in each state of the machine; at least one
 */
public record MeasuredTime(double seconds, long bytes, List<InState> states) {

  /**
   * The time in one state of the machine.
   *
   * @param hopNanos the time that a cache line took from one processor to another; 0 if not known
   * @param micros the time in microseconds
   * @param ratio its time divided by that of the fastest algorithm in this state
   */
  public record InState(int hopNanos, double micros, double ratio) {

    private String text() {
      String state = hopNanos == 0 ? "unknown state" : Sentence.of("hop %d ns", hopNanos);
      return Sentence.of("%s: %.2f µs, ratio %.2f", state, micros, ratio);
    }
  }

  /** Takes an immutable copy. */
  public MeasuredTime {
    Arguments.require(states, "states");
    states = List.copyOf(states);
  }

  /** The times by state in words, if there are several; else empty. */
  public String byState() {
    return states.size() == 1
        ? ""
        : states.stream()
            .map(InState::text)
            .collect(Collectors.joining("; ", Sentence.of("%d bytes at ", bytes), ""));
  }
}
