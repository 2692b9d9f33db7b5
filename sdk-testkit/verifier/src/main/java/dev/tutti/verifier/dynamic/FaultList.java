package dev.tutti.verifier.dynamic;

import dev.tutti.plan.ActionKind;
import dev.tutti.plan.RankPlan;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.simulator.flow.FlatStream;
import dev.tutti.verifier.run.Fault;
import dev.tutti.verifier.run.Point;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.SplittableRandom;
import java.util.TreeSet;

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
    long all = 0;
    for (FlatStream code : plan.streams()) {
      for (int event = 0; event < code.size(); event++) {
        all += count(code, event);
      }
    }
    this.size = all;
  }

  /** The number of faults. */
  long size() {
    return size;
  }

  /** All faults. If there are more than {@code most}, a sample of that size, chosen by the seed. */
  List<Fault> sample(int most, long seed) {
    // Floyd's algorithm: {@code most} distinct numbers below size, all sets equally likely.
    NavigableSet<Long> chosen = new TreeSet<>();
    SplittableRandom random = new SplittableRandom(seed);
    for (long last = Math.max(0, size - most); last < size; last++) {
      if (!chosen.add(random.nextLong(last + 1))) {
        chosen.add(last);
      }
    }
    return numbered(chosen);
  }

  /** The faults with some numbers, which count all faults of all events. Empties the set. */
  private List<Fault> numbered(NavigableSet<Long> chosen) {
    List<FlatStream> streams = plan.streams();
    List<Fault> faults = new ArrayList<>();
    long first = 0;
    for (int stream = 0; stream < streams.size(); stream++) {
      FlatStream code = streams.get(stream);
      int place = stream - plan.mainStream(code.rank());
      for (int event = 0; event < code.size() && !chosen.isEmpty(); event++) {
        long end = first + count(code, event);
        if (chosen.first() < end) {
          List<Fault> here = at(code, new Point(code.rank(), place, event));
          while (!chosen.isEmpty() && chosen.first() < end) {
            faults.add(here.get((int) (chosen.removeFirst() - first)));
          }
        }
        first = end;
      }
    }
    return faults;
  }

  /** The number of faults {@link #at} an event. */
  private int count(FlatStream code, int event) {
    int sync = code.sync(event);
    if (sync == FlatStream.DATA) {
      return overwrites(code.plan(event), code.action(event)) ? 4 : 3;
    }
    return FlatStream.isPost(sync) ? 7 : sync >= 0 ? 4 : 3;
  }

  /** The faults at an event. */
  private List<Fault> at(FlatStream code, Point at) {
    int sync = code.sync(at.event());
    List<Fault> faults = new ArrayList<>();
    faults.add(new Fault.Kill(at));
    faults.add(new Fault.Delay(at, shortDelay));
    faults.add(new Fault.Delay(at, longDelay));
    if (FlatStream.isPost(sync)) {
      faults.add(new Fault.Drop(at));
      faults.add(new Fault.Duplicate(at, SOON));
      faults.add(new Fault.Duplicate(at, shortDelay));
    }
    if (sync >= 0) {
      faults.add(new Fault.Raise(at));
    }
    if (sync == FlatStream.DATA && overwrites(code.plan(at.event()), code.action(at.event()))) {
      faults.add(new Fault.Fill(at, code.plan(at.event()).dst(code.action(at.event()))));
    }
    if (faults.size() != count(code, at.event())) {
      throw new IllegalStateException("miscounted faults: " + faults);
    }
    return faults;
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
