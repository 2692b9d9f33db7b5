package dev.tutti.host.group;

import dev.tutti.host.status.FlightEntry;
import dev.tutti.host.status.GroupStatus;
import dev.tutti.sdk.TuttiException;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.Supplier;

/**
 * The error of a run that did not complete in time. It names the last operations of the group and,
 * in the words of the group's status, what each rank waited for at the deadline. Its last line
 * names the cause.
 */
final class LateRunError {

  /** The largest number of lines about ranks. */
  private static final int MAX_LINES = 32;

  private LateRunError() {}

  /**
   * Replaces the engine's lines with the known facts. If that fails, its exception is added to the
   * error as a suppressed one, so that the error itself is never lost.
   *
   * @param late the engine's error
   * @param operations the last operations of the group; none if no record is kept
   * @param status the status of the ranks at the deadline; no ranks if it is not known
   */
  static TuttiException of(
      TuttiException late, Supplier<List<FlightEntry>> operations, Supplier<GroupStatus> status) {
    try {
      return explained(late, operations.get(), status.get());
    } catch (RuntimeException | Error e) {
      late.addSuppressed(e);
      return late;
    }
  }

  private static TuttiException explained(
      TuttiException late, List<FlightEntry> operations, GroupStatus status) {
    boolean isTold = !status.ranks().isEmpty();
    String words = String.valueOf(late.getMessage());
    StringJoiner text = new StringJoiner("\n");
    text.add(isTold ? words.substring(0, words.indexOf(':') + 1) : words);
    if (!operations.isEmpty()) {
      text.add("The last operations of the group:");
      operations.forEach(entry -> text.add("  " + entry));
    }
    if (isTold) {
      text.add("When the time was up, the group was " + status.doing() + ":");
      status.lines(MAX_LINES, "").forEach(text::add);
      if (status.cause().isEmpty()) {
        text.add("  → no rank waits for another one: the work itself takes too long");
      }
    }
    return new TuttiException(late.code(), late, "%s", text);
  }
}
