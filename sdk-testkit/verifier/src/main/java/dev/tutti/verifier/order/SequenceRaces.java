package dev.tutti.verifier.order;

import dev.tutti.verifier.rule.Findings;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Checks rule SEQ-1: finds the memories that two operations may use at the same time. */
final class SequenceRaces {

  /*
   * A memory of rank r is safe if two conditions hold: in the first operation, all ranks are done
   * with it when r leaves; in the second, no rank uses it before r has entered. The reason is that
   * r enters the second operation after it has left the first. Most algorithms keep all memories
   * safe in this way, and the check of each operation has noted whether it does (Users). For any
   * other memory, each user in the first operation is compared with each user in the second, by its
   * last and its first access. For example, a broadcast whose root writes without waiting is safe
   * if the same root has received signals from all readers before. A memory that fails this test,
   * too, is compared segment by segment, which decides (BoundaryAccesses).
   */
  private final OperationOrder order;

  SequenceRaces(OperationOrder order) {
    this.order = order;
  }

  private record Use(int stream, int first, int last, boolean writes) {}

  void report(Findings findings) {
    BitSet suspects = suspects();
    if (!suspects.isEmpty()) {
      new BoundaryAccesses(order, suspects).report(findings);
    }
  }

  /** The memories that are not known to be safe. */
  private BitSet suspects() {
    BitSet notClosed = flagged(order.first(), Users.NOT_CLOSED);
    BitSet notOpened = flagged(order.second(), Users.NOT_OPENED);
    BitSet open = (BitSet) notClosed.clone();
    open.or(notOpened);
    if (open.isEmpty()) {
      return open;
    }
    Map<Integer, List<Use>> uses1 = uses(order.first(), open);
    Map<Integer, List<Use>> uses2 = uses(order.second(), open);
    BitSet suspects = new BitSet();
    open.stream()
        .filter(
            memory ->
                !areInOrder(
                    uses1.getOrDefault(memory, List.of()), uses2.getOrDefault(memory, List.of())))
        .forEach(suspects::set);
    return suspects;
  }

  private static BitSet flagged(OrderFacts facts, int flag) {
    BitSet memories = new BitSet();
    facts
        .users()
        .forEach(
            (stream, memory, first, last, flags) -> {
              if ((flags & flag) != 0 && !Users.isOfCaller(memory)) {
                memories.set(memory);
              }
              return 0;
            });
    return memories;
  }

  private static Map<Integer, List<Use>> uses(OrderFacts facts, BitSet wanted) {
    Map<Integer, List<Use>> uses = new HashMap<>();
    facts
        .users()
        .forEach(
            (stream, memory, first, last, flags) -> {
              if (wanted.get(memory)) {
                uses.computeIfAbsent(memory, m -> new ArrayList<>())
                    .add(new Use(stream, first, last, (flags & Users.WRITES) != 0));
              }
              return 0;
            });
    return uses;
  }

  private boolean areInOrder(List<Use> uses1, List<Use> uses2) {
    for (Use one : uses1) {
      for (Use other : uses2) {
        if ((one.writes || other.writes)
            && !order.isOrdered(one.stream, one.last, other.stream, other.first)) {
          return false;
        }
      }
    }
    return true;
  }
}
