package dev.tutti.verifier.run;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.simulator.flow.FlatStream;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The faults of one run, by the event at which they happen. Each fault is taken once. */
final class FaultTable {

  /** The streams that have faults. */
  private final BitSet touched = new BitSet();

  private final Map<Long, List<Fault>> byEvent = new HashMap<>();

  FaultTable(FlatPlan plan, List<? extends Fault> faults) {

    for (Fault fault : faults) {
      int stream = stream(plan, fault.at());
      check(plan.streams().get(stream), fault);
      touched.set(stream);
      byEvent.computeIfAbsent(key(stream, fault.at().event()), k -> new ArrayList<>()).add(fault);
    }
  }

  private static long key(int stream, int event) {
    return (long) stream << 32 | event;
  }

  /** The number of a point's stream in {@link FlatPlan#streams}. */
  static int stream(FlatPlan plan, Point point) {
    List<FlatStream> streams = plan.streams();
    if (point.rank() >= 0 && point.rank() < plan.plan().rankSize() && point.stream() >= 0) {
      int stream = plan.mainStream(point.rank()) + point.stream();
      if (stream < streams.size()
          && streams.get(stream).rank() == point.rank()
          && point.event() >= 0
          && point.event() < streams.get(stream).size()) {
        return stream;
      }
    }
    throw new TuttiException(
        ErrorCode.INVALID_ARGUMENT, "a fault must be at an event of the plan. Actual: %s", point);
  }

  private static void check(FlatStream stream, Fault fault) {
    int sync = stream.sync(fault.at().event());
    boolean fits =
        switch (fault) {
          case Fault.Drop _, Fault.Duplicate _ -> FlatStream.isPost(sync);
          case Fault.Raise _ -> sync >= 0;
          case Fault.Delay _, Fault.Kill _, Fault.Fill _ -> true;
        };
    if (!fits) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "a %s needs a post%s. Actual: %s at %s",
          fault.getClass().getSimpleName(),
          fault instanceof Fault.Raise ? " or an await" : "",
          stream.describe(fault.at().event()),
          fault.at());
    }
  }

  /** Whether there may be faults at events of a stream. */
  boolean touches(int stream) {
    return touched.get(stream);
  }

  /** Removes and returns the next fault of a kind at an event, or null. */
  <F extends Fault> @Nullable F take(int stream, int event, Class<F> kind) {
    List<Fault> faults = byEvent.get(key(stream, event));
    if (faults == null) {
      return null;
    }
    for (Fault fault : faults) {
      if (kind.isInstance(fault)) {
        faults.remove(fault);
        return kind.cast(fault);
      }
    }
    return null;
  }
}
