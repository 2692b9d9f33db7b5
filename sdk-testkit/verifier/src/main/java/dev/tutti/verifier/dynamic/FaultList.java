package dev.tutti.verifier.dynamic;

import dev.tutti.plan.ActionKind;
import dev.tutti.plan.RankPlan;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.simulator.flow.FlatStream;
import dev.tutti.verifier.run.Fault;
import dev.tutti.verifier.run.Point;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * All single faults that are useful to try on one plan. At each event: the death of the rank, a
 * delay within the deadline, and one beyond it. At each post: a dropped signal, a signal that
 * arrives again soon, and one that arrives again late. At each post and await: a notify that is set
 * without a post. Before each action that overwrites its destination: different contents of that
 * destination.
 */
final class FaultList {

  private static final long SOON = 2;

  private final FlatPlan plan;
  private final long shortDelay;
  private final long longDelay;
  private final long size;

  /**
   * The faults of a plan.
   *
   * @param shortDelay a delay in steps that makes no wait exceed the deadline
   * @param longDelay a delay in steps that makes every wait exceed the deadline
   */
  FaultList(FlatPlan plan, long shortDelay, long longDelay) {
    this.plan = plan;
    this.shortDelay = shortDelay;
    this.longDelay = longDelay;
    long[] count = new long[1];
    forEach(fault -> count[0]++);
    this.size = count[0];
  }

  /** The number of faults. */
  long size() {
    return size;
  }

  /** All faults. If there are more than {@code most}, a sample of that size, chosen by the seed. */
  List<Fault> sample(int most, long seed) {
    List<Fault> sample = new ArrayList<>();
    if (size <= most) {
      forEach(sample::add);
      return sample;
    }
    // Floyd's algorithm: {@code most} distinct numbers below size, all sets equally likely.
    TreeSet<Long> chosen = new TreeSet<>();
    SplittableRandom random = new SplittableRandom(seed);
    for (long last = size - most; last < size; last++) {
      if (!chosen.add(random.nextLong(last + 1))) {
        chosen.add(last);
      }
    }
    long[] index = new long[1];
    forEach(
        fault -> {
          if (chosen.contains(index[0]++)) {
            sample.add(fault);
          }
        });
    return sample;
  }

  private void forEach(Consumer<Fault> consumer) {
    List<FlatStream> streams = plan.streams();
    for (int stream = 0; stream < streams.size(); stream++) {
      FlatStream code = streams.get(stream);
      int place = stream - plan.mainStream(code.rank());
      for (int event = 0; event < code.size(); event++) {
        forEach(code, new Point(code.rank(), place, event), consumer);
      }
    }
  }

  private void forEach(FlatStream code, Point at, Consumer<Fault> consumer) {
    int sync = code.sync(at.event());
    consumer.accept(new Fault.Kill(at));
    consumer.accept(new Fault.Delay(at, shortDelay));
    consumer.accept(new Fault.Delay(at, longDelay));
    if (FlatStream.isPost(sync)) {
      consumer.accept(new Fault.Drop(at));
      consumer.accept(new Fault.Duplicate(at, SOON));
      consumer.accept(new Fault.Duplicate(at, shortDelay));
    }
    if (sync >= 0) {
      consumer.accept(new Fault.Raise(at));
    }
    if (sync == FlatStream.DATA && overwrites(code.plan(at.event()), code.action(at.event()))) {
      consumer.accept(new Fault.Fill(at, code.plan(at.event()).dst(code.action(at.event()))));
    }
  }

  /** Whether an action does not depend on the contents of its destination. */
  private boolean overwrites(RankPlan code, int action) {
    if (code.kind(action) == ActionKind.REDUCE) {
      return false;
    }
    int dst = plan.memory(code.dstRank(action), code.dstType(action));
    long bytes = code.bytes(action);
    for (int i = 0; i < code.sourceCount(action); i++) {
      long apart = Math.abs(code.srcOffset(action, i) - code.dstOffset(action));
      if (plan.memory(code.srcRank(action, i), code.srcType(action, i)) == dst && apart < bytes) {
        return false;
      }
    }
    return true;
  }
}
