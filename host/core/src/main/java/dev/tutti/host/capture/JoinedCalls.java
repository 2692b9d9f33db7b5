package dev.tutti.host.capture;

import dev.tutti.base.text.Sentence;
import dev.tutti.engine.CompiledPlan;
import dev.tutti.engine.CompiledPlan.SignalCount;
import dev.tutti.engine.Composite;
import dev.tutti.host.group.AgreedCapture;
import dev.tutti.host.group.RecordedCall;
import dev.tutti.host.planning.Packing;
import dev.tutti.host.planning.SelectedPlan;
import dev.tutti.host.status.RunFacts;
import dev.tutti.host.watch.Counters;
import dev.tutti.plugin.live.Generation;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.StringJoiner;
import java.util.stream.Collectors;

/** Captured calls as one plan over their memory. */
abstract sealed class JoinedCalls implements AgreedCapture.Operations, AutoCloseable
    permits CapturedPlan, MessageCalls, SharedCalls {

  private final List<RecordedCall> calls;
  private final Composite composite;
  private final CapturedMemory memory;
  private final long group;

  /** The generations of the plans, each once. */
  private final Generation[] generations;

  /**
   * Joins calls.
   *
   * @param group the number of their group
   */
  JoinedCalls(long group, List<RecordedCall> calls, Composite composite, CapturedMemory memory) {
    this.group = group;
    this.calls = calls;
    this.composite = composite;
    this.memory = memory;
    this.generations =
        calls.stream()
            .map(call -> call.planned().generation())
            .distinct()
            .toArray(Generation[]::new);
  }

  final List<RecordedCall> calls() {
    return calls;
  }

  final Composite composite() {
    return composite;
  }

  final CapturedMemory memory() {
    return memory;
  }

  /** Whether buffers are copied before and after each run. */
  boolean isStaged() {
    return memory.isStaged();
  }

  /** Adds lines that describe the program that runs. */
  abstract void explainProgram(StringJoiner lines);

  /** The lines for a compiled plan. */
  static void explain(CompiledPlan compiled, StringJoiner lines) {
    SignalCount signals = compiled.signals();
    lines.add("runs as: " + compiled);
    lines.add(
        Sentence.of(
            "signals: %d of %d dropped as implied",
            signals.awaits() - signals.waits(), signals.awaits()));
  }

  @Override
  public final boolean isRetired() {
    for (Generation generation : generations) {
      if (generation.isRetired()) {
        return true;
      }
    }
    return false;
  }

  @Override
  public final List<Generation> generations() {
    return List.of(generations);
  }

  @Override
  public final void count(Counters into, long ended, long inNanos) {
    calls.forEach(call -> call.planned().count(into, ended, 0));
    into.ran(RunFacts.CAPTURE, "", ended, ended * messageBytes(), inNanos);
  }

  @Override
  public final void countFailure(Counters into) {
    calls.forEach(call -> call.planned().countFailure(into));
    into.failed(RunFacts.CAPTURE, "");
  }

  private long messageBytes() {
    return calls.stream().mapToLong(call -> call.planned().messageBytes()).sum();
  }

  @Override
  public final RunFacts facts() {
    String algorithms =
        calls.stream()
            .map(call -> call.planned().algorithm().qualifiedName())
            .distinct()
            .collect(Collectors.joining(", "));
    int ranks = calls.getFirst().planned().plan().rankSize();
    return RunFacts.ofCapture(group, toString(), messageBytes(), ranks, algorithms);
  }

  @Override
  public final void ran(long runs) {
    calls.forEach(call -> call.planned().generation().ran(runs));
  }

  /** A description of the joined calls in lines of text. */
  final String explain() {
    StringJoiner lines = new StringJoiner("\n");
    int part = 0;
    for (RecordedCall call : calls) {
      SelectedPlan planned = call.planned();
      Packing packing = planned.packing();
      int parts = packing == null ? 1 : packing.parts();
      lines.add(
          Sentence.of(
              "%3d  %s, %s%s",
              part,
              planned.key().call(),
              planned.algorithm(),
              parts == 1 ? "" : Sentence.of("; with its packing, to part %d", part + parts - 1)));
      part += parts;
    }
    explainProgram(lines);
    lines.add("order added between operations: " + composite.orders().size());
    composite.orders().forEach(order -> lines.add("     " + order));
    lines.add(Sentence.of("staging and scratch memory: %d at a time", composite.colors()));
    lines.add(
        Sentence.of(
            "buffers: %d memories in %d allocations%s",
            memory.count(),
            memory.handles(),
            isStaged() ? "; those that peers cannot reach are copied" : ""));
    List<MemorySegment> packed = memory.packed().views();
    if (!packed.isEmpty()) {
      lines.add(
          Sentence.of(
              "packed data: %d bytes in %d buffers",
              packed.stream().mapToLong(MemorySegment::byteSize).sum(), packed.size()));
    }
    return lines.toString();
  }

  @Override
  public void close() {
    memory.close();
  }

  @Override
  public final String toString() {
    int count = calls.size();
    return "capture of " + count + (count == 1 ? " operation" : " operations");
  }
}
