package dev.tutti.simulator;

import dev.tutti.plan.ActionRef;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.simulator.flow.FlatStream;
import java.util.List;

/** Passes the author's actions of a simulation to a visitor. */
final class ActionLog implements EngineLog {

  private final List<FlatStream> streams;
  private final Simulation.ActionVisitor visitor;

  /** The number of each stream among those of its rank. */
  private final int[] numbers;

  ActionLog(FlatPlan plan, Simulation.ActionVisitor visitor) {
    this.streams = plan.streams();
    this.visitor = visitor;
    this.numbers = new int[streams.size()];
    int[] next = new int[plan.plan().rankSize()];
    for (int rank = 0; rank < next.length; rank++) {
      next[rank] = plan.plan().rank(rank).streamCount();
    }
    for (int stream = 0; stream < numbers.length; stream++) {
      FlatStream code = streams.get(stream);
      numbers[stream] = code.isNested() ? next[code.rank()]++ : code.number();
    }
  }

  @Override
  public void data(int record, int stream, int event, long start, long end, int cause) {
    show(stream, event, false, start, end);
  }

  @Override
  public void await(int stream, int event, long from, long to, int postStream, int postEvent) {
    show(stream, event, true, from, to);
  }

  private void show(int stream, int event, boolean isAwait, long from, long to) {
    FlatStream code = streams.get(stream);
    if (code.isAction(event)) {
      ActionRef ref = code.ref(event);
      visitor.action(
          new ActionRef(ref.rank(), numbers[stream], ref.action(), ref.text(), ref.source()),
          isAwait,
          from,
          to);
    }
  }
}
