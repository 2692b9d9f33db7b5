package dev.tutti.verifier.order;

import dev.tutti.plan.RankPlan;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.simulator.flow.FlatStream;

/**
 * The bytes of a memory that an event accesses.
 *
 * @param from the first byte
 * @param to the byte after the last one
 */
record Span(int memory, long from, long to) {

  /** The operand through which an event reads or writes a byte of a memory. */
  static Span of(
      FlatPlan plan, FlatStream code, int event, boolean isWrite, int memory, long offset) {
    RankPlan own = code.plan(event);
    int action = code.action(event);
    long bytes = own.bytes(action);
    if (isWrite) {
      return new Span(memory, own.dstOffset(action), own.dstOffset(action) + bytes);
    }
    for (int i = 0; i < own.sourceCount(action); i++) {
      long from = own.srcOffset(action, i);
      if (plan.memory(own.srcRank(action, i), own.srcType(action, i)) == memory
          && from <= offset
          && offset < from + bytes) {
        return new Span(memory, from, from + bytes);
      }
    }
    throw new IllegalStateException(
        code.describe(event) + " does not read byte " + offset + " of " + plan.memoryName(memory));
  }

  /** The bytes that are in both spans. */
  Span intersect(Span other) {
    return new Span(memory, Math.max(from, other.from), Math.min(to, other.to));
  }
}
