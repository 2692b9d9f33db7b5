package dev.tutti.verifier.order;

import dev.tutti.plan.ActionKind;
import dev.tutti.plan.RankPlan;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.simulator.flow.FlatStream;
import dev.tutti.simulator.flow.Segments;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Findings;
import dev.tutti.verifier.rule.Rule;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Compares the accesses of two operations to some memories, segment by segment. It compares each
 * stream's last access of a kind in the first operation with each stream's first one in the second.
 * If these are in order, all are.
 */
final class BoundaryAccesses {

  private final OperationOrder order;
  private final Segments segments;
  private final Tally races = new Tally(Rule.SEQUENCE_RACE);
  private final Set<Pair> pairs = new HashSet<>();

  private record Pair(int stream1, int event1, int stream2, int event2) {}

  /**
   * The accesses of one operation. Each segment has a linked list; a node is (stream and kind,
   * event, next).
   */
  private static final class Side {
    static final int NODE = 3;
    static final int NIL = -1;

    final OrderFacts facts;
    final Segments segments;
    final boolean keepsLast;
    final int[] head;
    int[] pool = new int[NODE << 6];
    int poolEnd;

    Side(OrderFacts facts, Segments segments, boolean keepsLast) {
      this.facts = facts;
      this.segments = segments;
      this.keepsLast = keepsLast;
      this.head = new int[segments.count()];
      Arrays.fill(head, NIL);
      for (int stream = 0; stream < facts.plan().streams().size(); stream++) {
        FlatStream code = facts.stream(stream);
        for (int event = 0; event < code.size(); event++) {
          if (code.isAction(event) && code.plan(event).kind(code.action(event)).isData()) {
            add(code, stream, event);
          }
        }
      }
    }

    private void add(FlatStream code, int stream, int event) {
      FlatPlan plan = facts.plan();
      RankPlan own = code.plan(event);
      int action = code.action(event);
      long bytes = own.bytes(action);
      for (int i = 0; i < own.sourceCount(action); i++) {
        int memory = plan.memory(own.srcRank(action, i), own.srcType(action, i));
        add(memory, own.srcOffset(action, i), bytes, Layers.READ, stream, event);
      }
      boolean isAtomic = facts.atomicReductions() && own.kind(action) == ActionKind.REDUCE;
      int memory = plan.memory(own.dstRank(action), own.dstType(action));
      int kind = isAtomic ? Layers.UPDATE : Layers.WRITE;
      add(memory, own.dstOffset(action), bytes, kind, stream, event);
    }

    private void add(int memory, long offset, long bytes, int kind, int stream, int event) {
      if (bytes == 0 || !segments.has(memory)) {
        return;
      }
      int to = segments.at(memory, offset + bytes);
      for (int segment = segments.at(memory, offset); segment < to; segment++) {
        add(segment, (stream << 2) | kind, event);
      }
    }

    private void add(int segment, int who, int event) {
      for (int node = head[segment];
          node != NIL && pool[node] >>> 2 == who >>> 2;
          node = pool[node + 2]) {
        if (pool[node] == who && isAlike(node, who, event)) {
          if (keepsLast) {
            pool[node + 1] = event;
          }
          return;
        }
      }
      if (poolEnd == pool.length) {
        pool = Arrays.copyOf(pool, Math.multiplyExact(poolEnd, 2));
      }
      pool[poolEnd] = who;
      pool[poolEnd + 1] = event;
      pool[poolEnd + 2] = head[segment];
      head[segment] = poolEnd;
      poolEnd += NODE;
    }

    private boolean isAlike(int node, int who, int event) {
      FlatStream code = facts.stream(who >>> 2);
      return (who & 3) != Layers.UPDATE || SameReduction.test(code, pool[node + 1], code, event);
    }

    FlatStream code(int node) {
      return facts.stream(pool[node] >>> 2);
    }

    int kind(int node) {
      return pool[node] & 3;
    }
  }

  BoundaryAccesses(OperationOrder order, BitSet memories) {
    this.order = order;
    this.segments =
        Segments.of(List.of(order.first().plan(), order.second().plan()), memories::get);
  }

  void report(Findings findings) {
    Side one = new Side(order.first(), segments, true);
    Side other = new Side(order.second(), segments, false);
    for (int segment = 0; segment < segments.count(); segment++) {
      for (int i = one.head[segment]; i != Side.NIL; i = one.pool[i + 2]) {
        for (int j = other.head[segment]; j != Side.NIL; j = other.pool[j + 2]) {
          if (conflict(one, i, other, j)) {
            judge(one, i, other, j, segment);
          }
        }
      }
    }
    races.report(findings);
  }

  private static boolean conflict(Side one, int i, Side other, int j) {
    int kind = one.kind(i);
    if (kind != other.kind(j)) {
      return true;
    }
    return switch (kind) {
      case Layers.READ -> false;
      case Layers.UPDATE ->
          !SameReduction.test(one.code(i), one.pool[i + 1], other.code(j), other.pool[j + 1]);
      default -> true;
    };
  }

  private void judge(Side one, int i, Side other, int j, int segment) {
    int stream1 = one.pool[i] >>> 2;
    int event1 = one.pool[i + 1];
    int stream2 = other.pool[j] >>> 2;
    int event2 = other.pool[j + 1];
    FlatStream code1 = one.code(i);
    FlatStream code2 = other.code(j);
    if (!races.isWanted(() -> Clash.key(code1, event1, code2, event2))
        || order.isOrdered(stream1, event1, stream2, event2)
        || !pairs.add(new Pair(stream1, event1, stream2, event2))) {
      return;
    }
    boolean isWrite1 = one.kind(i) != Layers.READ;
    boolean isWrite2 = other.kind(j) != Layers.READ;
    races.add(
        Clash.key(code1, event1, code2, event2),
        () -> finding(stream1, event1, isWrite1, stream2, event2, isWrite2, segment));
  }

  private Finding finding(
      int stream1,
      int event1,
      boolean isWrite1,
      int stream2,
      int event2,
      boolean isWrite2,
      int segment) {
    FlatStream code1 = order.stream1(stream1);
    FlatStream code2 = order.stream2(stream2);
    FlatPlan plan = order.first().plan();
    int memory = segments.memory(segment);
    long offset = segments.start(segment);
    Span span = Span.of(plan, code1, event1, isWrite1, memory, offset);
    Span second = Span.of(order.second().plan(), code2, event2, isWrite2, memory, offset);
    return new Clash(
            Rule.SEQUENCE_RACE,
            plan,
            code1,
            event1,
            isWrite1,
            code2,
            event2,
            isWrite2,
            span.intersect(second))
        .finding(order.explain(stream1, event1, stream2, event2));
  }
}
