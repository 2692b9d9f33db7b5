package dev.tutti.host.rank;

import dev.tutti.host.topology.RankNames;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Checks that the ranks of a group make the same call. Buffers and deadlines may differ. */
final class Agreement {

  private final RankNames names;

  Agreement(RankNames names) {
    this.names = names;
  }

  /**
   * Compares the calls of all ranks.
   *
   * @param number the number of the operation in the group, or in the pair
   * @throws TuttiException with {@link ErrorCode#CALL_MISMATCH} that names the first rank that
   *     differs from most, the field, expected and actual
   */
  void check(List<RankCall> calls, long number) {
    RankCall first = calls.getFirst();
    boolean isSame = true;
    for (int i = 1; i < calls.size(); i++) {
      isSame &= isSame(first, calls.get(i));
    }
    if (!isSame) {
      checkFields(calls.stream().map(CallFields::of).toList(), number);
      throw new TuttiException(
          ErrorCode.CALL_MISMATCH,
          "all ranks must make the same call as operation %d, but their layouts differ",
          number);
    }
  }

  private static boolean isSame(RankCall a, RankCall b) {
    return (a.split() == null) == (b.split() == null)
        && a.call().equals(b.call())
        && (a.options().equals(b.options())
            || a.options().ofAllRanks().equals(b.options().ofAllRanks()));
  }

  /** As {@link #check}, for calls of which only the fields are known. */
  void checkFields(List<CallFields> calls, long number) {
    CallFields expected = mostCommon(calls);
    for (CallFields each : calls) {
      expected
          .values()
          .forEach(
              (field, value) -> {
                String actual = each.values().getOrDefault(field, "none");
                if (!value.equals(actual)) {
                  throw mismatch(expected, each, number, field, value, actual);
                }
              });
    }
  }

  /** The call that most ranks make; if several are equally common, the one of the lowest rank. */
  private static CallFields mostCommon(List<CallFields> calls) {
    Map<Map<String, String>, Integer> counts = new HashMap<>();
    calls.forEach(each -> counts.merge(each.values(), 1, Integer::sum));
    CallFields best = calls.getFirst();
    for (CallFields each : calls) {
      if (counts.getOrDefault(each.values(), 0) > counts.getOrDefault(best.values(), 0)) {
        best = each;
      }
    }
    return best;
  }

  /**
   * The error that the other ranks get if one rank cannot make its call: a mistake of that rank is
   * a mismatch for the others; a fault is the same for all.
   */
  TuttiException refused(long number, RankCall call, TuttiException error) {
    return error.code() == ErrorCode.RUN_FAILED
        ? error
        : new TuttiException(
            ErrorCode.CALL_MISMATCH,
            error,
            "all ranks must make the same call as operation %d, but the part of %s (%s) was"
                + " refused, so no data has moved: %s",
            number,
            names.name(call.rank()),
            call.words(),
            error.getMessage());
  }

  /** The error of all ranks after an exception in the part of one rank. */
  static TuttiException failed(long number, Throwable thrown) {
    if (thrown instanceof TuttiException coded) {
      return coded;
    }
    if (thrown instanceof IllegalStateException || thrown instanceof WrongThreadException) {
      return new TuttiException(
          ErrorCode.BUFFER_UNAVAILABLE,
          thrown,
          "operation %d failed because a buffer's memory is not accessible: %s",
          number,
          thrown.getMessage());
    }
    return new TuttiException(
        ErrorCode.RUN_FAILED, thrown, "operation %d failed: %s", number, thrown);
  }

  private TuttiException mismatch(
      CallFields expected,
      CallFields actual,
      long number,
      String field,
      String expectedValue,
      String actualValue) {
    return new TuttiException(
        ErrorCode.CALL_MISMATCH,
        "all ranks must make the same call as operation %d, but %s differs from %s in its %s:"
            + " expected %s, actual %s (%s: %s; %s: %s)",
        number,
        names.name(actual.rank()),
        names.name(expected.rank()),
        field,
        expectedValue,
        actualValue,
        names.name(expected.rank()),
        expected.words(),
        names.name(actual.rank()),
        actual.words());
  }
}
