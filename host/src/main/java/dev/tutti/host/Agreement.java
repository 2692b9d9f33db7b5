package dev.tutti.host;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Checks that the ranks of a group make the same call. Buffers and deadlines may differ. */
final class Agreement {

  private Agreement() {}

  /**
   * Compares all calls with the first one.
   *
   * @throws TuttiException with {@link ErrorCode#CALL_MISMATCH} that names the first rank and field
   *     that differ, expected and actual
   */
  static void check(List<RankCall> calls) {
    RankCall first = calls.getFirst();
    for (RankCall other : calls) {
      check(first, other);
    }
  }

  private static void check(RankCall a, RankCall b) {
    if (a.call().equals(b.call()) && a.options().equals(b.options())) {
      return;
    }
    CollectiveCall expected = a.call();
    CollectiveCall actual = b.call();
    compare("operation", expected.operation().label(), actual.operation().label(), a, b);
    compare("data type", expected.dataType(), actual.dataType(), a, b);
    compare("reduction", expected.reduceOp(), actual.reduceOp(), a, b);
    compare("count", expected.count(), actual.count(), a, b);
    compare("root", expected.root(), actual.root(), a, b);
    CallOptions wanted = a.options();
    CallOptions found = b.options();
    compare("algorithm", wanted.algorithm(), found.algorithm(), a, b);
    compare("parameters", wanted.parameters().values(), found.parameters().values(), a, b);
    compare("mode", wanted.mode().label(), found.mode().label(), a, b);
    compare("protocol", wanted.protocol().label(), found.protocol().label(), a, b);
    compare("determinism", wanted.determinism(), found.determinism(), a, b);
    compare("tag", wanted.tag(), found.tag(), a, b);
  }

  private static void compare(
      String field, @Nullable Object expected, @Nullable Object actual, RankCall a, RankCall b) {
    if (!Objects.equals(expected, actual)) {
      throw new TuttiException(
          ErrorCode.CALL_MISMATCH,
          "all ranks must make the same call, but rank %d differs from rank %d in its %s: expected"
              + " %s, actual %s (rank %d: %s; rank %d: %s)",
          b.rank(),
          a.rank(),
          field,
          expected,
          actual,
          a.rank(),
          a.call(),
          b.rank(),
          b.call());
    }
  }
}
