package dev.tutti.plan;

import dev.tutti.plan.json.JsonReader;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.TransportMemType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads the actions of the format of {@link PlanJson}, one by one. Not thread-safe. */
final class ActionReader {

  /** The most ranks of a plan: as many as a topology holds. */
  static final int MAX_RANKS = 1 << 24;

  private enum Field {
    KIND,
    STREAM,
    DST,
    SRC,
    SRCS,
    BYTES,
    TYPE,
    OP,
    LINK,
    NOTIFY,
    PLAN,
    LINE;

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static final LabelTable<Field> FIELDS =
      new LabelTable<>("field of an action", Field.values(), Field::label);

  /** The fields that each kind must have, besides the line. */
  private static final Map<ActionKind, EnumSet<Field>> NEEDED = new EnumMap<>(ActionKind.class);

  static {
    need(ActionKind.COPY, Field.DST, Field.SRC, Field.BYTES);
    need(ActionKind.REDUCE, Field.DST, Field.SRC, Field.BYTES, Field.TYPE, Field.OP);
    need(ActionKind.REDUCE_FROM, Field.DST, Field.SRCS, Field.BYTES, Field.TYPE, Field.OP);
    need(ActionKind.POST, Field.NOTIFY);
    need(ActionKind.AWAIT, Field.NOTIFY);
    need(ActionKind.NESTED, Field.PLAN);
  }

  private static void need(ActionKind kind, Field... fields) {
    EnumSet<Field> all = EnumSet.of(Field.KIND, Field.STREAM);
    all.addAll(List.of(fields));
    NEEDED.put(kind, all);
  }

  /**
   * The plan that actions belong to.
   *
   * @param linkNumbers the number in {@code links} of each link, by its position in the file
   * @param lines the source lines, or null if the plan has none
   */
  record Context(
      int rank,
      int streams,
      int notifies,
      LinkTable links,
      int[] linkNumbers,
      List<RankPlan> plans,
      @Nullable List<String> lines) {}

  private final JsonReader in;
  private final EnumSet<Field> seen = EnumSet.noneOf(Field.class);
  private final List<Operand> sources = new ArrayList<>();
  private @Nullable ActionKind kind;
  private @Nullable Operand dst;
  private @Nullable DataType type;
  private @Nullable ReduceOp op;
  private int stream;
  private long bytes;
  private int link;
  private int notify;
  private int plan;
  private int line;

  private record Operand(int rank, TransportMemType type, long offset) {
    DeviceMem mem(long bytes) {
      return new DeviceMem(rank, type, offset, bytes);
    }
  }

  ActionReader(JsonReader in) {
    this.in = in;
  }

  /** Reads an action and adds it to a plan. */
  void read(Context context, PlanBuilder builder) throws IOException {
    seen.clear();
    sources.clear();
    link = RankPlan.NO_LINK;
    in.beginObject();
    while (in.hasNext()) {
      Field field = FIELDS.at(in, in.name());
      seen.add(field);
      readField(field, context);
    }
    checkFields(context);
    add(context, builder);
    in.end();
  }

  private void readField(Field field, Context context) throws IOException {
    switch (field) {
      case KIND -> kind = LabelTable.KINDS.read(in, "an action kind");
      case STREAM -> stream = index("stream", context.streams());
      case DST -> dst = readOperand();
      case SRC -> sources.add(readOperand());
      case SRCS -> {
        in.beginArray();
        while (in.hasNext()) {
          sources.add(readOperand());
        }
        in.end();
      }
      case BYTES -> bytes = in.number("bytes", 1, Long.MAX_VALUE);
      case TYPE -> type = LabelTable.DATA_TYPES.read(in, "a data type");
      case OP -> op = LabelTable.REDUCE_OPS.read(in, "a reduction");
      case LINK -> link = context.linkNumbers()[index("link", context.linkNumbers().length)];
      case NOTIFY -> notify = (int) in.number("notify", 0, Integer.MAX_VALUE);
      case PLAN -> plan = index("plan", context.plans().size());
      case LINE -> line = index("line", context.lines() == null ? 0 : context.lines().size());
    }
  }

  private Operand readOperand() throws IOException {
    in.beginArray();
    requireNext();
    int rank = (int) in.number("the rank of a memory", 0, MAX_RANKS - 1);
    requireNext();
    TransportMemType memType = LabelTable.MEM_TYPES.read(in, "a memory kind");
    requireNext();
    long offset = in.number("the offset", 0, Long.MAX_VALUE);
    if (in.hasNext()) {
      throw operandSize();
    }
    in.end();
    return new Operand(rank, memType, offset);
  }

  private void requireNext() throws IOException {
    if (!in.hasNext()) {
      throw operandSize();
    }
  }

  private TuttiException operandSize() {
    return in.broken("an operand must have three entries: rank, memory kind and offset");
  }

  /** An index, 0 to {@code count - 1}. */
  private int index(String what, int count) throws IOException {
    if (count == 0) {
      throw in.broken("'%s' is not allowed here: the plan has no %ss", what, what);
    }
    return (int) in.number(what, 0, count - 1);
  }

  // ---- checks

  private void checkFields(Context context) {
    if (!seen.contains(Field.KIND) || kind == null) {
      throw in.broken("an action must have the field 'kind'");
    }
    EnumSet<Field> needed = EnumSet.copyOf(Objects.requireNonNull(NEEDED.get(kind)));
    if (context.lines() != null) {
      needed.add(Field.LINE);
    }
    for (Field field : needed) {
      if (!seen.contains(field)) {
        throw in.broken(
            "action '%s' must have the field '%s'; add it",
            LabelTable.KINDS.label(kind), field.label());
      }
    }
    for (Field field : seen) {
      if (!needed.contains(field) && !(field == Field.LINK && kind.isSync())) {
        throw in.broken(
            "action '%s' has no field '%s'; remove it",
            LabelTable.KINDS.label(kind), field.label());
      }
    }
    if (kind.isSync()) {
      checkNotify(context);
    }
    if (kind.isData()) {
      checkData();
    }
  }

  private void checkNotify(Context context) {
    int count =
        link == RankPlan.NO_LINK ? context.notifies() : context.links().kind(link).notifyCount();
    if (notify >= count) {
      throw in.broken(
          "notify must be less than the %d notifies %s. Actual: %d",
          count, link == RankPlan.NO_LINK ? "of the plan" : "of the link", notify);
    }
  }

  private void checkData() {
    if (kind == ActionKind.REDUCE_FROM && sources.size() < 2) {
      throw in.broken("reduce-from must have two sources or more. Actual: %d", sources.size());
    }
    if (kind != ActionKind.COPY && type != null && op != null) {
      if (!op.supports(type)) {
        throw in.broken("reduction %s takes integer types only. Actual: %s", op, type);
      }
      if (bytes % type.size() != 0) {
        throw in.broken(
            "bytes must be a multiple of the %d bytes of %s. Actual: %d", type.size(), type, bytes);
      }
    }
    sources.forEach(this::checkEnd);
    if (dst != null) {
      checkEnd(dst);
    }
  }

  private void checkEnd(Operand operand) {
    if (operand.offset > Long.MAX_VALUE - bytes) {
      throw in.broken(
          "an operand must end below 2^63 bytes. Actual: offset %d and %d bytes",
          operand.offset, bytes);
    }
  }

  private void add(Context context, PlanBuilder builder) {
    ActionKind kind = Objects.requireNonNull(this.kind);
    switch (kind) {
      case COPY -> builder.addData(kind, stream, dst(), sources.getFirst().mem(bytes), null, null);
      case REDUCE -> builder.addData(kind, stream, dst(), sources.getFirst().mem(bytes), type, op);
      case REDUCE_FROM -> {
        List<DeviceMem> from = new ArrayList<>();
        sources.forEach(source -> from.add(source.mem(bytes)));
        builder.addReduceFrom(
            stream, dst(), from, Objects.requireNonNull(type), Objects.requireNonNull(op));
      }
      case POST, AWAIT -> {
        if (link == RankPlan.NO_LINK) {
          builder.addLocalSync(kind, stream, notify);
        } else {
          builder.addLinkSync(kind, stream, link, notify);
        }
      }
      case NESTED -> builder.addNested(stream, context.plans().get(plan));
    }
    if (context.lines() != null) {
      builder.setSource(context.lines().get(line));
    }
  }

  private DeviceMem dst() {
    return Objects.requireNonNull(dst).mem(bytes);
  }
}
