package dev.tutti.mutation;

import dev.tutti.plan.ActionKind;
import dev.tutti.plan.RankPlan;
import dev.tutti.plan.RankPlanBuilder;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.resource.DeviceMem;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a data action.
 *
 * @param type the element type, null for a copy
 * @param op the reduction, null for a copy
 */
record DataAction(
    ActionKind kind,
    int stream,
    DeviceMem dst,
    List<DeviceMem> sources,
    @Nullable DataType type,
    @Nullable ReduceOp op) {

  /** The index of the destination among the operands; the sources follow from 0. */
  static final int DST = -1;

  static DataAction of(RankPlan plan, int action) {
    List<DeviceMem> sources = new ArrayList<>();
    for (int i = 0; i < plan.sourceCount(action); i++) {
      sources.add(plan.src(action, i));
    }
    boolean reduces = plan.kind(action) != ActionKind.COPY;
    return new DataAction(
        plan.kind(action),
        plan.stream(action),
        plan.dst(action),
        sources,
        reduces ? plan.dataType(action) : null,
        reduces ? plan.reduceOp(action) : null);
  }

  DeviceMem operand(int index) {
    return index == DST ? dst : sources.get(index);
  }

  DataAction withOperand(int index, DeviceMem mem) {
    if (index == DST) {
      return new DataAction(kind, stream, mem, sources, type, op);
    }
    List<DeviceMem> changed = new ArrayList<>(sources);
    changed.set(index, mem);
    return new DataAction(kind, stream, dst, changed, type, op);
  }

  DataAction withSize(long bytes) {
    DataAction changed = this;
    for (int operand = DST; operand < sources.size(); operand++) {
      DeviceMem mem = operand(operand);
      changed =
          changed.withOperand(operand, new DeviceMem(mem.rank(), mem.type(), mem.offset(), bytes));
    }
    return changed;
  }

  DataAction withReduction(DataType newType, ReduceOp newOp) {
    ActionKind newKind = kind == ActionKind.COPY ? ActionKind.REDUCE : kind;
    return new DataAction(newKind, stream, dst, sources, newType, newOp);
  }

  DataAction asCopyOf(int source) {
    return new DataAction(ActionKind.COPY, stream, dst, List.of(sources.get(source)), null, null);
  }

  DataAction withStream(int newStream) {
    return new DataAction(kind, newStream, dst, sources, type, op);
  }

  void emit(RankPlanBuilder builder) {
    if (type == null || op == null) {
      builder.copy(stream, dst, sources.getFirst());
    } else if (kind == ActionKind.REDUCE) {
      builder.reduce(stream, dst, sources.getFirst(), type, op);
    } else {
      builder.reduceFrom(stream, dst, sources, type, op);
    }
  }
}
