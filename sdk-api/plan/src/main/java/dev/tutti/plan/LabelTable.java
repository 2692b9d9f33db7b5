package dev.tutti.plan;

import dev.tutti.plan.json.JsonReader;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Names;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/** The stable names of an enum, in both directions. Files hold names, never ordinals. */
final class LabelTable<E extends Enum<E>> {

  static final LabelTable<ActionKind> KINDS =
      new LabelTable<>(
          "action kind",
          ActionKind.values(),
          kind -> kind.name().toLowerCase(Locale.ROOT).replace('_', '-'));
  static final LabelTable<DataType> DATA_TYPES =
      new LabelTable<>("data type", DataType.values(), DataType::label);
  static final LabelTable<ReduceOp> REDUCE_OPS =
      new LabelTable<>("reduction", ReduceOp.values(), ReduceOp::label);
  static final LabelTable<TransportMemType> MEM_TYPES =
      new LabelTable<>("memory kind", TransportMemType.values(), TransportMemType::label);
  static final LabelTable<CommPlane> PLANES =
      new LabelTable<>("plane", CommPlane.values(), CommPlane::label);
  static final LabelTable<Protocol> PROTOCOLS =
      new LabelTable<>("protocol", Protocol.values(), Protocol::label);

  private final String what;
  private final List<E> values;
  private final List<String> labels;
  private final Map<String, E> byLabel = new HashMap<>();

  LabelTable(String what, E[] values, Function<E, String> label) {
    this.what = what;
    this.values = List.of(values);
    this.labels = Stream.of(values).map(label).toList();
    for (E value : values) {
      if (byLabel.put(labels.get(value.ordinal()), value) != null) {
        throw new TuttiException(
            ErrorCode.INVALID_ARGUMENT, "two values of one enum are called %s", label.apply(value));
      }
    }
  }

  List<E> values() {
    return values;
  }

  String label(E value) {
    return labels.get(value.ordinal());
  }

  /**
   * The value of a name.
   *
   * @throws TuttiException with {@link ErrorCode#UNKNOWN_NAME}, suggesting the nearest name
   */
  E value(String label) {
    E found = byLabel.get(label);
    if (found == null) {
      throw Names.unknown(what, label, labels);
    }
    return found;
  }

  /**
   * The value of the name that was read last; if there is none, the error names the place of the
   * name.
   */
  E at(JsonReader in, String label) {
    try {
      return value(label);
    } catch (TuttiException e) {
      throw in.broken("%s", String.valueOf(e.getMessage()));
    }
  }

  /** Reads a name, and gives its value. */
  E read(JsonReader in, String what) throws IOException {
    return at(in, in.string(what));
  }
}
