package dev.tutti.plan;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Notify;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Compares the actions that one rank's executor emits with those of a plan of the same structure,
 * and keeps only the positions of the marks. It skips most checks of {@link ActionRecorder}: the
 * other plan has passed them, and all spans have the same positions relative to each other.
 */
final class ActionMatcher extends ActionSink {

  private final RankPlan model;
  private final Actions actions;
  private final Operands operands;
  private final Operands.Marks marks;
  private final MarkPositions positions;
  private int action;
  private int operand;
  private boolean isClosed;

  /** The first difference found; kept because the executor may catch the exception. */
  private MarkPositions.@Nullable Differs found;

  /**
   * Compares a rank's actions.
   *
   * @param model the rank's plan to compare with
   * @param marks the marks of its operands
   * @param positions receives the positions of the marks
   */
  ActionMatcher(
      RankResources[] group,
      RankResources own,
      boolean inPlace,
      RankPlan model,
      Operands.Marks marks,
      MarkPositions positions) {
    super(group, own, inPlace, null);
    this.model = model;
    this.actions = model.actions();
    this.operands = model.operands();
    this.marks = marks;
    this.positions = positions;
  }

  @Override
  void close() {
    isClosed = true;
  }

  /** Requires that all actions have been emitted. */
  void end() {
    if (found != null) {
      throw found;
    }
    if (action < actions.count()) {
      throw differs("ends before action " + action);
    }
  }

  @Override
  void copy(int stream, DeviceMem dst, DeviceMem src) {
    beginVerb();
    requireInside(dst);
    requireInside(src);
    requireSameSize(dst, src);
    if (dst.size() > 0) {
      take(Actions.head(ActionKind.COPY, stream, 0, 0));
      operands(dst, src);
    }
  }

  @Override
  void reduce(int stream, DeviceMem dst, DeviceMem src, DataType type, ReduceOp op) {
    beginVerb();
    requireInside(dst);
    requireInside(src);
    requireSameSize(dst, src);
    requireElements(dst, type);
    if (dst.size() > 0) {
      take(Actions.head(ActionKind.REDUCE, stream, type.ordinal(), op.ordinal()));
      operands(dst, src);
    }
  }

  @Override
  void reduceFrom(int stream, DeviceMem dst, List<DeviceMem> sources, DataType type, ReduceOp op) {
    beginVerb();
    requireInside(dst);
    requireElements(dst, type);
    int count = sources.size();
    if (count == 0) {
      throw differs("reduces from no source");
    }
    if (count == 1) {
      copyOf(stream, dst, sources.getFirst());
      return;
    }
    boolean isData = dst.size() > 0;
    int listed = 0;
    if (isData) {
      take(Actions.head(ActionKind.REDUCE_FROM, stream, type.ordinal(), op.ordinal()));
      listed = operands.firstListed(operand);
      if (operands.listed(listed - 1) != count) {
        throw differs("reduces from a different number of sources");
      }
      destination(dst);
    }
    for (int i = 0; i < count; i++) {
      DeviceMem source = sources.get(i);
      requireInside(source);
      requireSameSize(dst, source);
      if (isData) {
        int place = listed + i;
        requireMemory(operands.listed(place), source);
        put(marks.listedStart()[place], source.offset());
        put(marks.listedEnd()[place], source.offset() + source.size());
      }
    }
    operand += isData ? 1 : 0;
  }

  /** A reduction from one source is a copy, or nothing if the source is the destination itself. */
  private void copyOf(int stream, DeviceMem dst, DeviceMem source) {
    requireInside(source);
    requireSameSize(dst, source);
    if (dst.size() > 0 && !sameSpan(dst, source)) {
      take(Actions.head(ActionKind.COPY, stream, 0, 0));
      operands(dst, source);
    }
  }

  @Override
  void syncLocal(ActionKind kind, int stream, Notify notify) {
    beginVerb();
    if (!(notify instanceof RecordedNotify own) || own.rank() != rank()) {
      throw differs("uses a notify of another rank");
    }
    take(Actions.head(kind, stream, 0, 0));
    if (actions.argument(action - 1) != -1 - own.id()) {
      throw differs("uses another notify");
    }
  }

  @Override
  void syncLink(ActionKind kind, int stream, int link, int notify) {
    beginVerb();
    take(Actions.head(kind, stream, 0, 0));
    if (model.link(action - 1) != link || model.notify(action - 1) != notify) {
      throw differs("uses another link or notify");
    }
  }

  /** Compares the next action, without its operands. */
  private void take(int head) {
    if (isClosed) {
      throw late();
    }
    if (action == actions.count()) {
      throw differs("has more than " + action + " actions");
    }
    if (actions.head(action) != head) {
      throw differs("does something else");
    }
    action++;
  }

  private void operands(DeviceMem dst, DeviceMem src) {
    requireMemory(operands.srcMem(operand), src);
    put(marks.srcStart()[operand], src.offset());
    put(marks.srcEnd()[operand], src.offset() + src.size());
    destination(dst);
    operand++;
  }

  private void destination(DeviceMem dst) {
    requireMemory(operands.dstMem(operand), dst);
    put(marks.dstStart()[operand], dst.offset());
    put(marks.dstEnd()[operand], dst.offset() + dst.size());
  }

  private void put(int mark, long position) {
    if (!positions.put(mark, position)) {
      throw differs("has spans in other positions relative to each other");
    }
  }

  private void requireMemory(int mem, DeviceMem actual) {
    if (!operands.isOf(mem, actual)) {
      throw differs("uses another memory");
    }
  }

  /** Also checks spans of zero bytes, which have no marks. */
  private void requireInside(DeviceMem mem) {
    if (mem.size() > memSize(mem) - mem.offset()) {
      throw differs("uses memory that does not exist");
    }
  }

  private void requireSameSize(DeviceMem dst, DeviceMem src) {
    if (dst.size() != src.size()) {
      throw differs("has operands of different sizes");
    }
  }

  private void requireElements(DeviceMem dst, DataType type) {
    if (dst.size() % type.size() != 0) {
      throw differs("reduces parts of elements");
    }
  }

  private MarkPositions.Differs differs(String how) {
    if (found == null) {
      found =
          new MarkPositions.Differs("rank " + rank() + " " + how + ", near its action " + action);
    }
    return found;
  }
}
