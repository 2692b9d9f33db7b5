package dev.tutti.host.group;

import dev.tutti.host.status.FlightEntry;
import dev.tutti.host.status.GroupStatus;
import dev.tutti.sdk.TuttiException;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.Supplier;

/**
 * The error of a run that was not done in time. It says what the group did last and what each rank
 * waited for when the time was over, in the words of the group's status; its last line is the
 * cause.
 */
final class LateRunError {

  /** The most lines about ranks. */
  private static final int MAX_LINES = 32;

  private LateRunError() {}

  /**
   * Puts what is known in the place of the engine's lines. What goes wrong with that is kept as
   * suppressed, so that the error itself always comes through.
   *
   * @param late the engine's error
   * @param operations what the group did last; none if that is not kept
   * @param status where the ranks were when the time was over; no ranks if that cannot be told
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
