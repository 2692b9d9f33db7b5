package dev.tutti.mutation;

import dev.tutti.plan.ActionKind;
import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.RankPlan;
import dev.tutti.plan.RankPlanBuilder;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.resource.DeviceMem;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Makes all single-action mutants of a plan without nested plans. Each action is dropped,
 * duplicated, swapped with the next one of its stream, and moved to each other stream and to a new
 * one. Each operand is shifted by one element in both directions, and moved to each other rank.
 * There are mutants with one element more and one fewer, with each other type and reduction that
 * the format can hold, with each other notify and link, and with a post instead of an await or an
 * await instead of a post. A change that the format cannot hold (a negative offset, half an
 * element) is not a mutant, and neither is a change that gives an equal plan.
 */
public final class Mutants {

  private final GroupPlan plan;
  private final DataType type;
  private final ReduceOp op;
  private final BooleanSupplier isWanted;
  private final Consumer<Mutant> target;

  private Mutants(
      GroupPlan plan,
      DataType type,
      ReduceOp op,
      BooleanSupplier isWanted,
      Consumer<Mutant> target) {
    this.plan = plan;
    this.type = type;
    this.op = op;
    this.isWanted = isWanted;
    this.target = target;
  }

  /**
   * Makes mutants, one after another.
   *
   * @param type the operation's element type; offsets and sizes change by one element
   * @param op the operation's reduction; any value for an operation without one
   * @param isWanted decides, once for each mutant, whether to make it
   * @param target receives each mutant
   */
  public static void of(
      GroupPlan plan,
      DataType type,
      ReduceOp op,
      BooleanSupplier isWanted,
      Consumer<Mutant> target) {
    Mutants mutants = new Mutants(plan, type, op, isWanted, target);
    for (RankPlan rank : plan.ranks()) {
      for (int action = 0; action < rank.actionCount(); action++) {
        mutants.addAll(rank, action);
      }
    }
  }

  /** Emits the replacement of an action. */
  private interface Replacement {
    void emit(RankPlanBuilder builder);
  }

  private void addAll(RankPlan rank, int action) {
    ActionKind kind = rank.kind(action);
    if (!kind.isData() && !kind.isSync()) {
      throw new IllegalArgumentException("there are no mutants of " + kind + " actions");
    }
    replace(rank, action, Operator.DROP, "dropped", 0, builder -> {});
    replace(
        rank,
        action,
        Operator.DUPLICATE,
        "duplicated",
        2,
        builder -> builder.append(rank, action).append(rank, action));
    addSwap(rank, action);
    for (int stream = 0; stream <= rank.streamCount(); stream++) {
      addStream(rank, action, stream);
    }
    if (kind.isData()) {
      addOfData(rank, action, DataAction.of(rank, action));
    } else {
      addOfSync(rank, action);
    }
  }

  // ---- any action

  private void addSwap(RankPlan rank, int action) {
    int next = action + 1;
    while (next < rank.actionCount() && rank.stream(next) != rank.stream(action)) {
      next++;
    }
    if (next == rank.actionCount() || !isWanted.getAsBoolean()) {
      return;
    }
    List<Integer> origins =
        new ArrayList<>(IntStream.range(0, rank.actionCount()).boxed().toList());
    origins.set(action, next);
    origins.set(next, action);
    RankPlanBuilder builder = new RankPlanBuilder(rank);
    origins.forEach(origin -> builder.append(rank, origin));
    deliver(
        rank,
        action,
        Operator.SWAP,
        "swapped with '" + rank.describe(next) + "'",
        builder.build(),
        origins);
  }

  private void addStream(RankPlan rank, int action, int stream) {
    if (stream == rank.stream(action)) {
      return;
    }
    boolean isNew = stream == rank.streamCount();
    replace(
        rank,
        action,
        Operator.STREAM,
        "on " + (isNew ? "a new stream" : "stream " + stream),
        1,
        builder -> {
          if (isNew) {
            builder.streamCount(stream + 1);
          }
          if (rank.kind(action).isData()) {
            DataAction.of(rank, action).withStream(stream).emit(builder);
          } else {
            emitSync(builder, rank.kind(action), stream, rank.link(action), rank.notify(action));
          }
        });
  }

  // ---- data actions

  private void addOfData(RankPlan rank, int action, DataAction data) {
    for (int operand = DataAction.DST; operand < data.sources().size(); operand++) {
      addOperand(rank, action, data, operand);
    }
    for (int sign = -1; sign <= 1; sign += 2) {
      long bytes = data.dst().size() + (long) sign * type.size();
      if (bytes > 0) {
        addData(rank, action, Operator.SIZE, "with " + bytes + " bytes", data.withSize(bytes));
      }
    }
    addReductions(rank, action, data);
  }

  private void addData(
      RankPlan rank, int action, Operator operator, String text, DataAction changed) {
    boolean isWhole = changed.type() == null || changed.dst().size() % changed.type().size() == 0;
    if (isWhole) {
      replace(rank, action, operator, text, 1, changed::emit);
    }
  }

  private void addOperand(RankPlan rank, int action, DataAction data, int operand) {
    DeviceMem mem = data.operand(operand);
    String name = operand == DataAction.DST ? "destination" : "source " + operand;
    for (int sign = -1; sign <= 1; sign += 2) {
      long offset = mem.offset() + (long) sign * type.size();
      if (offset >= 0) {
        DeviceMem moved = new DeviceMem(mem.rank(), mem.type(), offset, mem.size());
        addData(
            rank,
            action,
            Operator.SHIFT,
            "with its " + name + " at " + moved,
            data.withOperand(operand, moved));
      }
    }
    for (int peer = 0; peer < plan.rankSize(); peer++) {
      if (peer != mem.rank()) {
        DeviceMem other = new DeviceMem(peer, mem.type(), mem.offset(), mem.size());
        addData(
            rank,
            action,
            Operator.PEER,
            "with its " + name + " at " + other,
            data.withOperand(operand, other));
      }
    }
  }

  private void addReductions(RankPlan rank, int action, DataAction data) {
    DataType dataType = data.type();
    ReduceOp reduceOp = data.op();
    if (dataType == null || reduceOp == null) {
      addData(
          rank,
          action,
          Operator.REDUCTION,
          "as a reduction with " + op.label(),
          data.withReduction(type, op));
      return;
    }
    for (DataType other : DataType.values()) {
      if (other != dataType && reduceOp.supports(other)) {
        addData(
            rank,
            action,
            Operator.TYPE,
            "as " + other.label(),
            data.withReduction(other, reduceOp));
      }
    }
    for (ReduceOp other : ReduceOp.values()) {
      if (other != reduceOp && other.supports(dataType)) {
        addData(
            rank,
            action,
            Operator.REDUCTION,
            "with " + other.label(),
            data.withReduction(dataType, other));
      }
    }
    for (int source = 0; source < data.sources().size(); source++) {
      addData(
          rank, action, Operator.REDUCTION, "as a copy of source " + source, data.asCopyOf(source));
    }
  }

  // ---- posts and awaits

  private void addOfSync(RankPlan rank, int action) {
    ActionKind kind = rank.kind(action);
    int stream = rank.stream(action);
    int link = rank.link(action);
    int notify = rank.notify(action);
    int notifies = link == RankPlan.NO_LINK ? rank.notifyCount() : rank.linkNotifyCount(link);
    for (int other = 0; other < notifies; other++) {
      if (other != notify) {
        addSync(rank, action, Operator.NOTIFY, "on notify " + other, kind, stream, link, other);
      }
    }
    for (int other = 0; link != RankPlan.NO_LINK && other < rank.linkCount(); other++) {
      if (other != link && notify < rank.linkNotifyCount(other)) {
        String text = "on the link to rank " + rank.linkPeer(other);
        addSync(rank, action, Operator.PEER, text, kind, stream, other, notify);
      }
    }
    ActionKind opposite = kind == ActionKind.POST ? ActionKind.AWAIT : ActionKind.POST;
    String text = "turned into " + (opposite == ActionKind.POST ? "a post" : "an await");
    addSync(rank, action, Operator.NOTIFY, text, opposite, stream, link, notify);
  }

  private void addSync(
      RankPlan rank,
      int action,
      Operator operator,
      String text,
      ActionKind kind,
      int stream,
      int link,
      int notify) {
    replace(
        rank, action, operator, text, 1, builder -> emitSync(builder, kind, stream, link, notify));
  }

  private static void emitSync(
      RankPlanBuilder builder, ActionKind kind, int stream, int link, int notify) {
    if (kind == ActionKind.POST) {
      builder.post(stream, link, notify);
    } else {
      builder.await(stream, link, notify);
    }
  }

  // ---- making the plan

  /**
   * Replaces an action.
   *
   * @param count the number of actions that the replacement emits
   */
  private void replace(
      RankPlan rank,
      int action,
      Operator operator,
      String text,
      int count,
      Replacement replacement) {
    if (!isWanted.getAsBoolean()) {
      return;
    }
    RankPlanBuilder builder = new RankPlanBuilder(rank);
    List<Integer> origins = new ArrayList<>();
    for (int i = 0; i < rank.actionCount(); i++) {
      if (i != action) {
        builder.append(rank, i);
        origins.add(i);
        continue;
      }
      replacement.emit(builder);
      for (int made = 0; made < count; made++) {
        origins.add(i);
      }
    }
    deliver(rank, action, operator, text, builder.build(), origins);
  }

  private void deliver(
      RankPlan rank,
      int action,
      Operator operator,
      String text,
      RankPlan changed,
      List<Integer> origins) {
    if (changed.equals(rank)) {
      return;
    }
    List<RankPlan> ranks = new ArrayList<>(plan.ranks());
    ranks.set(rank.rank(), changed);
    target.accept(
        new Mutant(
            operator,
            rank.rank(),
            action,
            "'" + rank.describe(action) + "' " + text,
            new GroupPlan(plan.name(), plan.inPlace(), ranks),
            origins));
  }
}
