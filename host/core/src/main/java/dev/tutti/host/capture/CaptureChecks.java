package dev.tutti.host.capture;

import dev.tutti.host.config.HostSettings;
import dev.tutti.host.group.RecordedCall;
import dev.tutti.plan.GroupPlan;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.verifier.PlanVerifier;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Severity;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** The checks of captures, for ranks in one process or in several. */
final class CaptureChecks {

  private CaptureChecks() {}

  /** The sum of the deadlines of some calls. */
  static long deadlineNanos(HostSettings settings, List<RecordedCall> calls) {
    long nanos = 0;
    for (RecordedCall call : calls) {
      long more = settings.deadlineNanos(call.options());
      nanos = nanos > Long.MAX_VALUE - more ? Long.MAX_VALUE : nanos + more;
    }
    return nanos;
  }

  /**
   * Checks a joined plan with the verifier's rules for the order of actions.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_PLAN}
   */
  static void requireValid(GroupPlan plan) {
    List<Finding> errors =
        PlanVerifier.verifyOrder(plan).stream()
            .filter(finding -> finding.rule().severity() == Severity.ERROR)
            .toList();
    if (!errors.isEmpty()) {
      throw new TuttiException(
          ErrorCode.INVALID_PLAN,
          "the %s breaks %d rules, and is not run; check the algorithms of its operations with"
              + " 'tutti verify'. The first: %s",
          plan.name(),
          errors.size(),
          errors.getFirst());
    }
  }

  static void requireAsLarge(MemorySegment old, MemorySegment replacement) {
    if (replacement.byteSize() < old.byteSize()) {
      throw new TuttiException(
          ErrorCode.BUFFER_TOO_SMALL,
          "the replacement of a buffer of %d bytes must have at least that size. Actual: %d bytes",
          old.byteSize(),
          replacement.byteSize());
    }
  }

  static TuttiException noSuchBuffer() {
    return new TuttiException(
        ErrorCode.INVALID_ARGUMENT,
        "no captured operation uses that buffer, or a part of it; give a buffer that was captured,"
            + " or one that replaced it");
  }

  static TuttiException overlapsOtherwise() {
    return new TuttiException(
        ErrorCode.INVALID_ARGUMENT,
        "the new buffer overlaps other buffers differently from the old one, so the order of the"
            + " operations would no longer be right; give another buffer, or capture again");
  }
}
