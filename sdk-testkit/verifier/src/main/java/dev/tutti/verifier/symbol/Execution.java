package dev.tutti.verifier.symbol;

import dev.tutti.plan.ActionKind;
import dev.tutti.plan.RankPlan;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.simulator.flow.FlatStream;
import dev.tutti.simulator.flow.Moves;
import dev.tutti.simulator.flow.Walk;
import org.jspecify.annotations.Nullable;

/** Executes a plan with symbols instead of data, during one walk of the plan. */
final class Execution implements Walk.Visitor {

  /** Receives the events that only the execution sees. */
  interface Observer {

    /** An action reads bytes that nothing has written. */
    void undefinedRead(int stream, int event, int memory, long from, long to);

    /** An action overwrites bytes. */
    default void written(int stream, int event, int memory, long from, long to) {}

    /** An action reduces into bytes. */
    default void reduced(int stream, int event, int memory, long from, long to) {}
  }

  /*
   * Most accesses cover one segment with one sound value. The execution handles them with three
   * longs, and all other accesses as strips.
   */
  private final FlatPlan plan;
  private final FlatStream[] streams;
  private final Contents contents;
  private final @Nullable DataType type;
  private final @Nullable ReduceOp op;
  private final int element;
  private final boolean withTrees;
  private final boolean isRounded;
  private final Observer observer;

  /** Null if the observer must see all writes. */
  private final Moves.@Nullable Cursor moves;

  /** For each stream, whether all reductions of its rank have the requested type and operation. */
  private final boolean[] reducesAsAsked;

  private final Strip operand = new Strip();
  private final Strip other = new Strip();
  private Strip result = new Strip();
  private Strip spare = new Strip();

  /**
   * An execution.
   *
   * @param moves the moves of this plan; null makes the execution slower, and reports all writes to
   *     the observer
   */
  Execution(FlatPlan plan, Contents contents, Goal goal, Observer observer, @Nullable Moves moves) {
    this.plan = plan;
    this.streams = plan.streams().toArray(FlatStream[]::new);
    this.contents = contents;
    this.type = goal.op == null ? null : goal.type;
    this.op = goal.op;
    this.element = goal.elementBytes();
    this.withTrees = goal.isOrderSensitive();
    this.isRounded = goal.isRoundedByActions();
    this.observer = observer;
    this.moves = moves == null ? null : moves.cursor();
    this.reducesAsAsked = new boolean[streams.length];
    for (int stream = 0; stream < streams.length; stream++) {
      reducesAsAsked[stream] = reducesAsAsked(plan.plan().rank(streams[stream].rank()));
    }
  }

  private boolean reducesAsAsked(RankPlan own) {
    for (int form = 0; form < own.formCount(); form++) {
      int action = own.firstOfForm(form);
      ActionKind kind = own.kind(action);
      if (kind == ActionKind.NESTED || (kind == ActionKind.REDUCE && !isAskedFor(own, action))) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void data(int stream, int event) {
    long move = moves == null ? Moves.NONE : moves.next(stream);
    boolean isMove = move != Moves.NONE && (!Moves.reduces(move) || reducesAsAsked[stream]);
    if (!isMove || !move(move)) {
      execute(stream, event);
    }
  }

  private void execute(int stream, int event) {
    RankPlan own = streams[stream].plan(event);
    int action = streams[stream].action(event);
    long bytes = own.bytes(action);
    if (bytes == 0) {
      return;
    }
    int memory = plan.memory(own.dstRank(action), own.dstType(action));
    long from = own.dstOffset(action);
    boolean withDst = own.kind(action) == ActionKind.REDUCE;
    if (withDst || !reduceFrom(own, action, memory, from, bytes)) {
      compute(stream, event, own, action, withDst);
      contents.store(memory, from, result);
    }
    if (moves != null) {
      return;
    }
    if (withDst) {
      observer.reduced(stream, event, memory, from, from + bytes);
    } else {
      observer.written(stream, event, memory, from, from + bytes);
    }
  }

  // ---- one segment, one value

  /** Executes an action on two segments; false if one of them does not have one sound value. */
  private boolean move(long move) {
    int segment = Moves.destination(move);
    if (!contents.fetch(Moves.source(move))) {
      return false;
    }
    long sum = contents.sum;
    long tree = contents.tree;
    long meta = contents.meta;
    if (!Moves.reduces(move)) {
      contents.put(segment, sum, tree, meta);
      return true;
    }
    if (!contents.fetch(segment) || !isElementOf(meta)) {
      return false;
    }
    contents.put(
        segment,
        sum + contents.sum,
        stored(joined(tree, contents.tree)),
        Value.join(meta, contents.meta));
    return true;
  }

  /**
   * Executes a requested reduction of several sources into one segment; false for any other action,
   * or if a source does not have one sound value.
   */
  private boolean reduceFrom(RankPlan own, int action, int memory, long from, long bytes) {
    int sources = own.sourceCount(action);
    if (sources == 1 || !isAskedFor(own, action)) {
      return false;
    }
    int segment = contents.single(memory, from, bytes);
    if (segment < 0 || !fetch(own, action, 0)) {
      return false;
    }
    long sum = contents.sum;
    long tree = contents.tree;
    long meta = contents.meta;
    for (int source = 1; source < sources; source++) {
      if (!fetch(own, action, source) || !isElementOf(meta)) {
        return false;
      }
      sum += contents.sum;
      tree = joined(tree, contents.tree);
      meta = Value.join(meta, contents.meta);
    }
    contents.put(segment, sum, stored(tree), meta);
    return true;
  }

  private boolean fetch(RankPlan own, int action, int source) {
    return contents.fetch(
        plan.memory(own.srcRank(action, source), own.srcType(action, source)),
        own.srcOffset(action, source),
        own.bytes(action));
  }

  private long joined(long tree, long other) {
    return withTrees ? Value.joinTrees(tree, other) : 0;
  }

  private long stored(long tree) {
    return isRounded ? Value.rounded(tree) : tree;
  }

  private boolean isAskedFor(RankPlan own, int action) {
    return own.dataType(action) == type && own.reduceOp(action) == op;
  }

  /** Whether the fetched value can be reduced with another sound value. */
  private boolean isElementOf(long meta) {
    return Value.areAligned(meta, contents.meta) && (Value.place(meta) & (element - 1)) == 0;
  }

  // ---- any shape

  /** Computes the values that an action stores. */
  private void compute(int stream, int event, RankPlan own, int action, boolean withDst) {
    result.clear();
    if (withDst) {
      load(
          stream,
          event,
          plan.memory(own.dstRank(action), own.dstType(action)),
          own.dstOffset(action),
          own.bytes(action));
    } else {
      loadSource(stream, event, own, action, 0);
    }
    if (!withDst && own.sourceCount(action) == 1) {
      result.addDefined(operand);
    } else if (isAskedFor(own, action)) {
      result.addElements(operand, element);
      join(stream, event, own, action, withDst ? 0 : 1, true);
      if (isRounded) {
        spare.clear();
        spare.addRounded(result);
        swapResult();
      }
    } else {
      result.addDefined(operand);
      join(stream, event, own, action, withDst ? 0 : 1, false);
      spare.clear();
      spare.addBroken(result, Value.REDUCTION);
      swapResult();
    }
  }

  /** Reduces the current result with the sources from {@code first} on. */
  private void join(
      int stream, int event, RankPlan own, int action, int first, boolean byElements) {
    for (int source = first; source < own.sourceCount(action); source++) {
      loadSource(stream, event, own, action, source);
      other.clear();
      if (byElements) {
        other.addElements(operand, element);
      } else {
        other.addDefined(operand);
      }
      spare.clear();
      spare.addJoined(result, other, withTrees);
      swapResult();
    }
  }

  private void swapResult() {
    Strip old = result;
    result = spare;
    spare = old;
  }

  private void loadSource(int stream, int event, RankPlan own, int action, int source) {
    load(
        stream,
        event,
        plan.memory(own.srcRank(action, source), own.srcType(action, source)),
        own.srcOffset(action, source),
        own.bytes(action));
  }

  /** Loads an operand, and reports its undefined bytes. */
  private void load(int stream, int event, int memory, long from, long bytes) {
    operand.clear();
    contents.load(memory, from, bytes, operand);
    for (int run = 0; run < operand.size; run++) {
      if (Value.state(operand.metas[run]) == Value.INITIAL) {
        observer.undefinedRead(
            stream, event, memory, from + operand.start(run), from + operand.ends[run]);
      }
    }
  }
}
