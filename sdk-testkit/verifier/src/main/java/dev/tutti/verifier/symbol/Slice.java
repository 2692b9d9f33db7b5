package dev.tutti.verifier.symbol;

import dev.tutti.plan.ActionKind;
import dev.tutti.plan.RankPlan;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.simulator.flow.FlatPlan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Executes only the actions that contribute to some bytes, and builds the real expressions. Serves
 * one query.
 */
final class Slice {

  /*
   * The slice first goes from the last action back to the first, and keeps the bytes of interest:
   * the requested bytes, and the operands of actions that write such bytes. It then executes these
   * actions forwards, each only on the bytes of interest. It executes reductions element by
   * element.
   */
  private final Trace trace;
  private final FlatPlan plan;
  private final Goal goal;
  private final List<Hit> hits = new ArrayList<>();
  private final Map<Integer, Spans> wanted = new HashMap<>();
  private final boolean[] isWanted;
  private final Map<Integer, List<Part>> memories = new HashMap<>();
  private final Map<Integer, Term> initial = new HashMap<>();
  private int nextId;

  /** A range of bytes with its value. */
  record Part(long from, long to, Term.Operand value) {

    /** The part of this range that lies in a span. */
    Part within(long start, long end) {
      long first = Math.max(from, start);
      return new Part(first, Math.min(to, end), value.plus(first - from));
    }
  }

  /** An action, and those of its written bytes that are of interest. */
  private record Hit(int stream, int event, List<long[]> spans) {}

  private Slice(Trace trace, Goal goal) {
    this.trace = trace;
    this.goal = goal;
    this.plan = trace.plan();
    this.isWanted = new boolean[plan.memoryCount()];
  }

  /** The values of some bytes at the end of the plan, in parts that are as long as possible. */
  static List<Part> of(Trace trace, Goal goal, int memory, long from, long to) {
    Slice slice = new Slice(trace, goal);
    slice.want(memory, from, to);
    if (!slice.wanted.isEmpty()) {
      trace.backwards(slice::meet);
    }
    for (Hit hit : slice.hits.reversed()) {
      slice.execute(hit);
    }
    return slice.read(memory, from, to);
  }

  /** The values of the bytes of one element at the end of the plan. */
  static Term.Operand element(Trace trace, Goal goal, int memory, long from, int bytes) {
    List<Part> parts = of(trace, goal, memory, from, from + bytes);
    return parts.size() == 1
        ? parts.getFirst().value()
        : new Term.Operand(new Term.Torn(Integer.MAX_VALUE, parts), 0);
  }

  // ---- backwards

  private void want(int memory, long from, long to) {
    if (plan.isWritten(memory)) {
      wanted.computeIfAbsent(memory, m -> new Spans()).add(from, to);
      isWanted[memory] = true;
    }
  }

  private boolean meet(int stream, int event) {
    RankPlan own = trace.code(stream).plan(event);
    int action = trace.code(stream).action(event);
    int memory = plan.memory(own.dstRank(action), own.dstType(action));
    Spans spans = isWanted[memory] ? wanted.get(memory) : null;
    if (spans == null) {
      return true;
    }
    long start = own.dstOffset(action);
    long element = elementBytes(own, action);
    List<long[]> met = spans.take(start, start + own.bytes(action), element);
    if (met.isEmpty()) {
      return true;
    }
    hits.add(new Hit(stream, event, met));
    if (spans.isEmpty()) {
      wanted.remove(memory);
      isWanted[memory] = false;
    }
    for (long[] span : met) {
      if (own.kind(action) == ActionKind.REDUCE) {
        want(memory, span[0], span[1]);
      }
      for (int source = 0; source < own.sourceCount(action); source++) {
        long shift = own.srcOffset(action, source) - start;
        want(sourceMemory(own, action, source), span[0] + shift, span[1] + shift);
      }
    }
    return !wanted.isEmpty();
  }

  private int sourceMemory(RankPlan own, int action, int source) {
    return plan.memory(own.srcRank(action, source), own.srcType(action, source));
  }

  private static long elementBytes(RankPlan own, int action) {
    return own.kind(action) == ActionKind.COPY ? 1 : own.dataType(action).size();
  }

  // ---- forwards

  private void execute(Hit hit) {
    RankPlan own = trace.code(hit.stream).plan(hit.event);
    int action = trace.code(hit.stream).action(hit.event);
    int memory = plan.memory(own.dstRank(action), own.dstType(action));
    for (long[] span : hit.spans) {
      boolean isCopy =
          own.kind(action) == ActionKind.COPY
              || (own.kind(action) == ActionKind.REDUCE_FROM && own.sourceCount(action) == 1);
      write(
          memory,
          span[0],
          span[1],
          isCopy
              ? copied(hit, own, action, span[0], span[1])
              : reduced(hit, own, action, memory, span[0], span[1]));
    }
  }

  private List<Part> copied(Hit hit, RankPlan own, int action, long from, long to) {
    long shift = own.srcOffset(action, 0) - own.dstOffset(action);
    List<Part> parts = new ArrayList<>();
    for (Part part : read(sourceMemory(own, action, 0), from + shift, to + shift)) {
      Term copy = new Term.Copy(nextId++, hit.stream, hit.event, part.value.term());
      parts.add(
          new Part(part.from - shift, part.to - shift, new Term.Operand(copy, part.value.at())));
    }
    return parts;
  }

  private List<Part> reduced(Hit hit, RankPlan own, int action, int memory, long from, long to) {
    int size = own.dataType(action).size();
    List<Part> parts = new ArrayList<>();
    for (long at = from; at < to; at += size) {
      List<Term.Operand> operands = new ArrayList<>();
      if (own.kind(action) == ActionKind.REDUCE) {
        operands.add(whole(read(memory, at, at + size)));
      }
      for (int source = 0; source < own.sourceCount(action); source++) {
        long start = at + own.srcOffset(action, source) - own.dstOffset(action);
        operands.add(whole(read(sourceMemory(own, action, source), start, start + size)));
      }
      Term step =
          new Term.Step(
              nextId++,
              hit.stream,
              hit.event,
              own.dataType(action),
              own.reduceOp(action),
              operands,
              goal);
      parts.add(new Part(at, at + size, new Term.Operand(step, 0)));
    }
    return parts;
  }

  private Term.Operand whole(List<Part> parts) {
    return parts.size() == 1
        ? parts.getFirst().value
        : new Term.Operand(new Term.Torn(nextId++, parts), 0);
  }

  /** The current values of some bytes, in parts that are as long as possible. */
  private List<Part> read(int memory, long from, long to) {
    List<Part> found = new ArrayList<>();
    long at = from;
    for (Part part : memories.getOrDefault(memory, List.of())) {
      if (part.to > at && part.from < to) {
        addInitial(memory, at, part.from, found);
        append(part.within(Math.max(at, from), to), found);
        at = part.to;
      }
    }
    addInitial(memory, at, to, found);
    return found;
  }

  private static void append(Part part, List<Part> to) {
    Part last = to.isEmpty() ? null : to.getLast();
    if (last != null && last.value.continuesAt(part.from - last.from, part.value)) {
      to.set(to.size() - 1, new Part(last.from, part.to, last.value));
    } else {
      to.add(part);
    }
  }

  private void addInitial(int memory, long from, long to, List<Part> found) {
    int rank = FlatPlan.memoryRank(memory);
    boolean isInput = FlatPlan.memoryType(memory) == TransportMemType.PARAM_INPUT;
    long input = isInput ? plan.plan().rank(rank).memSize(TransportMemType.PARAM_INPUT) : 0;
    if (from < Math.min(to, input)) {
      Term term = initial.computeIfAbsent(memory, m -> new Term.Input(nextId++, rank));
      append(new Part(from, Math.min(to, input), new Term.Operand(term, from)), found);
    }
    if (Math.max(from, input) < to) {
      long start = Math.max(from, input);
      Term term = initial.computeIfAbsent(~memory, m -> new Term.Undefined(nextId++, memory));
      append(new Part(start, to, new Term.Operand(term, start)), found);
    }
  }

  private void write(int memory, long from, long to, List<Part> parts) {
    List<Part> old = memories.getOrDefault(memory, List.of());
    List<Part> now = new ArrayList<>();
    for (Part part : old) {
      if (part.from < from) {
        now.add(part.within(part.from, from));
      }
    }
    now.addAll(parts);
    for (Part part : old) {
      if (part.to > to) {
        now.add(part.within(to, part.to));
      }
    }
    memories.put(memory, now);
  }
}
