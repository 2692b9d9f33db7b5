package dev.tutti.host.rank;

import dev.tutti.host.call.CallOptions;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.topology.RankNames;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Checks that the ranks of a group make the same call. Buffers and deadlines may differ. */
final class Agreement {

  private final RankNames names;

  /** What must be the same on all ranks. */
  private record Shape(String operation, CollectiveCall call, CallOptions options) {
    static Shape of(RankCall call) {
      return new Shape(call.operation(), call.call(), call.options().ofAllRanks());
    }
  }

  Agreement(RankNames names) {
    this.names = names;
  }

  /**
   * Compares the calls of all ranks.
   *
   * @param number which operation of the group, or of the pair, it is
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
      refuse(calls, number);
    }
  }

  private static boolean isSame(RankCall a, RankCall b) {
    return (a.split() == null) == (b.split() == null)
        && a.call().equals(b.call())
        && (a.options().equals(b.options()) || Shape.of(a).equals(Shape.of(b)));
  }

  private void refuse(List<RankCall> calls, long number) {
    RankCall expected = mostCommon(calls);
    for (RankCall each : calls) {
      if (!isSame(expected, each)) {
        throw mismatch(expected, each, number);
      }
    }
  }

  /** The call that most ranks make; of equally common ones that of the lowest rank. */
  private static RankCall mostCommon(List<RankCall> calls) {
    Map<Shape, Integer> counts = new HashMap<>();
    calls.forEach(each -> counts.merge(Shape.of(each), 1, Integer::sum));
    RankCall best = calls.getFirst();
    for (RankCall each : calls) {
      if (counts.getOrDefault(Shape.of(each), 0) > counts.getOrDefault(Shape.of(best), 0)) {
        best = each;
      }
    }
    return best;
  }

  private TuttiException mismatch(RankCall expected, RankCall actual, long number) {
    Difference difference = difference(expected, actual);
    return new TuttiException(
        ErrorCode.CALL_MISMATCH,
        "all ranks must make the same call as operation %d, but %s differs from %s in its %s:"
            + " expected %s, actual %s (%s: %s; %s: %s)",
        number,
        names.name(actual.rank()),
        names.name(expected.rank()),
        difference.field(),
        difference.expected(),
        difference.actual(),
        names.name(expected.rank()),
        expected.words(),
        names.name(actual.rank()),
        actual.words());
  }

  private record Difference(String field, Object expected, Object actual) {}

  private static Difference difference(RankCall a, RankCall b) {
    Difference found = between("operation", a.operation(), b.operation());
    if (found == null) {
      found = ofCalls(a.call(), b.call());
    }
    if (found == null) {
      found = ofOptions(a.options(), b.options());
    }
    return found == null ? new Difference("call", a.call(), b.call()) : found;
  }

  private static @Nullable Difference ofCalls(CollectiveCall a, CollectiveCall b) {
    Difference found = between("data type", a.dataType(), b.dataType());
    found = found != null ? found : between("reduction", a.reduceOp(), b.reduceOp());
    found = found != null ? found : between("count", a.count(), b.count());
    found = found != null ? found : between("root", a.root(), b.root());
    found = found != null ? found : between("destination", a.destination(), b.destination());
    found = found != null ? found : ofLists("counts", a.counts(), b.counts());
    return found != null ? found : ofLists("transfers", a.items(), b.items());
  }

  private static @Nullable Difference ofOptions(CallOptions a, CallOptions b) {
    Difference found = between("algorithm", chosen(a), chosen(b));
    found = found != null ? found : between("parameters", values(a), values(b));
    found = found != null ? found : between("mode", a.modeLabel(), b.modeLabel());
    found =
        found != null ? found : between("protocol", a.protocols().label(), b.protocols().label());
    found = found != null ? found : between("determinism", a.determinism(), b.determinism());
    found = found != null ? found : between("average", a.averages(), b.averages());
    found = found != null ? found : between("input layout", a.inputLayout(), b.inputLayout());
    found = found != null ? found : between("output layout", a.outputLayout(), b.outputLayout());
    return found != null ? found : between("tag", a.tag(), b.tag());
  }

  private static String chosen(CallOptions options) {
    return options.algorithm() == null ? "the best one" : options.algorithm();
  }

  private static Object values(CallOptions options) {
    return options.parameters().values();
  }

  private static @Nullable Difference between(
      String field, @Nullable Object expected, @Nullable Object actual) {
    return Objects.equals(expected, actual)
        ? null
        : new Difference(field, shown(expected), shown(actual));
  }

  /** The first entry that differs, as lists of thousands of ranks are of no use in a message. */
  private static <T> @Nullable Difference ofLists(
      String field, List<List<T>> expected, List<List<T>> actual) {
    Difference found = between("number of lists of " + field, expected.size(), actual.size());
    for (int row = 0; found == null && row < expected.size(); row++) {
      List<T> a = expected.get(row);
      List<T> b = actual.get(row);
      String place = expected.size() == 1 ? field : field + " of rank " + row;
      found = between("number of " + place, a.size(), b.size());
      for (int i = 0; found == null && i < a.size(); i++) {
        found = between(place + " at " + i, a.get(i), b.get(i));
      }
    }
    return found;
  }

  private static Object shown(@Nullable Object value) {
    return value == null ? "none" : value;
  }
}
