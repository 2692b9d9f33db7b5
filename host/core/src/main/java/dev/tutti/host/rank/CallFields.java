package dev.tutti.host.rank;

import dev.tutti.base.text.Sentence;
import dev.tutti.host.call.CallOptions;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.call.Layout;
import dev.tutti.host.capture.CaptureStep;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A rank's call as names and texts: the facts that must be the same on all ranks, in the order in
 * which differences are reported. Two calls are the same if and only if their fields are. For
 * layouts with gaps, a hash represents the positions. Immutable.
 *
 * @param rank the rank
 * @param words the call in words
 * @param values the values by name
 */
record CallFields(int rank, String words, Map<String, String> values) {

  private static final String OPERATION = "operation";

  static CallFields of(RankCall call) {
    Map<String, String> values = new LinkedHashMap<>();
    values.put(OPERATION, call.operation());
    add(values, call.call());
    add(values, call.options());
    return new CallFields(call.rank(), call.words(), values);
  }

  /** The call of a rank, or the step of a capture that it makes. */
  static CallFields of(RankPart part) {
    CaptureStep step = part.step();
    CallFields fields = of(part.reachable());
    return step == null ? fields : fields.of(step);
  }

  /** The same call of another rank. */
  CallFields ofRank(int other) {
    return new CallFields(other, words, values);
  }

  /** The same with the name of a step of a capture. */
  CallFields of(CaptureStep step) {
    Map<String, String> named = new LinkedHashMap<>(values);
    named.computeIfPresent(OPERATION, (field, operation) -> step.name(operation));
    return new CallFields(rank, step.name(words), named);
  }

  /** The same with a field for whether input and output are the same memory. */
  CallFields inPlace(boolean isInPlace) {
    Map<String, String> more = new LinkedHashMap<>(values);
    more.put("place", isInPlace ? "in place" : "out of place");
    return new CallFields(rank, words, more);
  }

  private static void add(Map<String, String> values, CollectiveCall call) {
    values.put("data type", call.dataType().toString());
    values.put("reduction", shown(call.reduceOp()));
    values.put("count", String.valueOf(call.count()));
    values.put("root", String.valueOf(call.root()));
    values.put("destination", String.valueOf(call.destination()));
    addLists(values, "counts", call.counts());
    addLists(values, "transfers", call.items());
  }

  private static void add(Map<String, String> values, CallOptions options) {
    values.put("algorithm", options.algorithm() == null ? "the best one" : options.algorithm());
    values.put("parameters", options.parameters().values().toString());
    values.put("mode", options.modeLabel());
    values.put("protocol", options.protocols().label());
    values.put("determinism", shown(options.determinism()));
    values.put("average", String.valueOf(options.averages()));
    values.put("input layout", shown(options.inputLayout()));
    values.put("output layout", shown(options.outputLayout()));
    values.put("tag", options.tag());
  }

  private static String shown(@Nullable Object value) {
    return value == null ? "none" : value.toString();
  }

  private static String shown(Layout layout) {
    return layout.isContiguous()
        ? layout.toString()
        : Sentence.of("%s (places %08x)", layout, layout.hashCode());
  }

  private static <T> void addLists(Map<String, String> values, String field, List<List<T>> lists) {
    values.put("number of lists of " + field, String.valueOf(lists.size()));
    for (int row = 0; row < lists.size(); row++) {
      List<T> list = lists.get(row);
      String place = lists.size() == 1 ? field : field + " of rank " + row;
      values.put("number of " + place, String.valueOf(list.size()));
      for (int i = 0; i < list.size(); i++) {
        values.put(place + " at " + i, String.valueOf(list.get(i)));
      }
    }
  }
}
