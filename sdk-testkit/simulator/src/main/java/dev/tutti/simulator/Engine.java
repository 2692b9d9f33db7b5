package dev.tutti.simulator;

import dev.tutti.plan.RankPlan;
import dev.tutti.plan.work.Work;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.simulator.flow.FlatStream;
import dev.tutti.simulator.flow.WaitGraph;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** One simulation of one plan. Serves one run. Not thread-safe. */
final class Engine {

  /*
   * Every stream has its own clock. Posts and awaits only move clocks: a signal carries its arrival
   * time, and an await sets its stream's clock to the later of that time and the clock. The result
   * is the same whichever side runs first. So posts and awaits need no queue, and streams may run
   * ahead of one another.
   *
   * A resource that only one stream of the plan uses cannot be contended; Contention finds these
   * resources in one pass. An action that needs no others runs at once, in the order of its stream.
   * A ring needs no queue at all.
   *
   * Other ports and reducing units serve requests in the order of time. A stream that reaches an
   * action on them waits in the heap with its clock, and the engine takes the earliest stream. What
   * this stream does next happens at that time or later, so times never go back, and each port gets
   * its requests in order. This is exact for any plan, and costs one heap operation per message
   * instead of one per event. A message that is reduced enters the heap once more, for the unit,
   * when its bytes have arrived.
   *
   * With Sharing.NONE, a message starts when the ports at both ends are free, holds both for
   * overhead + bytes * beta, and arrives a latency later. Later requests do not overtake, even if
   * their ports are free. With Sharing.MAX_MIN, its bytes become a flow after the overhead, and the
   * end of the flow is an event.
   *
   * Events at equal times run in the order of stream numbers, then of flows, so every run is the
   * same.
   */

  /** The number of events after which to tell the progress. */
  private static final int EVENTS_OF_STEP = 1 << 16;

  private final FlatPlan plan;
  private final FlatStream[] streams;
  private final Network network;
  private final @Nullable EngineLog log;
  private final EventHeap heap;
  private final Signals signals;
  private final SharedResources resources;
  private final Contention contention;
  private final @Nullable FairShare fair;
  private final Demand demand;
  private final long notifyTime;
  private final long localNotifyTime;

  private final Progress progress;
  private final Queueing queueing;

  private Work work = Work.current();
  private int eventsOfStep;

  // The arrays of the progress
  private final int[] position;
  private final long[] clock;
  private final int[] depth;
  private final int[] cause;

  Engine(FlatPlan plan, Network network, @Nullable EngineLog log) {
    this.plan = plan;
    this.network = network;
    this.log = log;
    this.streams = plan.streams().toArray(FlatStream[]::new);
    int count = streams.length;
    NetworkModel model = network.model();
    this.heap = new EventHeap(count);
    this.signals = new Signals(plan.cellCount(), count);
    this.resources = new SharedResources(network);
    this.fair = model.sharing() == Sharing.MAX_MIN ? new FairShare(resources, heap, count) : null;
    this.contention = new Contention(plan, network, resources);
    this.demand = new Demand(model);
    this.notifyTime = model.notifyTime();
    this.localNotifyTime = model.localNotifyTime();
    this.progress = new Progress(streams);
    this.queueing = new Queueing(progress, network, log, heap, fair);
    this.position = progress.position;
    this.clock = progress.clock;
    this.depth = progress.depth;
    this.cause = progress.cause;
  }

  /**
   * Runs to the end.
   *
   * @throws TuttiException with {@link ErrorCode#DEADLOCK} if the plan cannot finish
   */
  void run() {
    long all = 0;
    for (FlatStream stream : streams) {
      all += stream.size();
    }
    try (Work begun = Work.begin("simulating", (int) (all / EVENTS_OF_STEP))) {
      work = begun;
      runAll();
    }
  }

  private void runAll() {
    for (int stream = streams.length - 1; stream >= 0; stream--) {
      progress.wake(stream);
    }
    advanceAll();
    while (!heap.isEmpty()) {
      long now = heap.firstTime();
      do {
        int event = heap.take();
        if (event < streams.length) {
          queueing.step(event, now);
        } else {
          queueing.endFlow(event - streams.length, now);
        }
        advanceAll();
      } while (heap.firstTime() == now);
      if (fair != null) {
        fair.settle(now);
      }
    }
    for (int stream = 0; stream < streams.length; stream++) {
      if (position[stream] < streams[stream].size()) {
        throw new TuttiException(
            ErrorCode.DEADLOCK,
            "the plan %s cannot be simulated: %s",
            plan.plan().name(),
            new WaitGraph(plan, position).describe());
      }
    }
  }

  // ---- events that need no port

  private void advanceAll() {
    while (progress.hasReady()) {
      int stream = progress.takeReady();
      int from = position[stream];
      advance(stream);
      eventsOfStep += position[stream] - from;
      if (eventsOfStep >= EVENTS_OF_STEP) {
        eventsOfStep = 0;
        work.step();
      }
    }
  }

  /** Runs a stream up to its next data action on contended resources, to a wait, or to its end. */
  private void advance(int stream) {
    FlatStream code = streams[stream];
    int end = code.size();
    int event = position[stream];
    while (event < end) {
      int sync = code.sync(event);
      if (sync == FlatStream.DATA) {
        position[stream] = event;
        demand.read(code.plan(event), code.action(event));
        if (!runsAlone()) {
          queueing.add(stream, demand);
          return;
        }
        runAlone(stream);
      } else if (FlatStream.isPost(sync)) {
        post(stream, event, FlatStream.cell(sync));
      } else if (FlatStream.isAwait(sync) && !await(stream, event, FlatStream.cell(sync))) {
        position[stream] = event;
        return;
      }
      event++;
    }
    position[stream] = end;
  }

  private void post(int stream, int event, int cell) {
    long at = clock[stream];
    if ((notifyTime | localNotifyTime) != 0) {
      at = TimeText.add(at, isRemote(streams[stream], event) ? notifyTime : localNotifyTime);
    }
    signals.post(cell, at, depth[stream], cause[stream], stream, event);
    int waiter = signals.takeWaiter(cell);
    if (waiter != Signals.NONE) {
      progress.wake(waiter);
    }
    if (log != null) {
      log.post(stream, event, clock[stream], at);
    }
  }

  private static boolean isRemote(FlatStream code, int event) {
    return code.isAction(event) && code.plan(event).link(code.action(event)) != RankPlan.NO_LINK;
  }

  private boolean await(int stream, int event, int cell) {
    if (!signals.isSet(cell)) {
      signals.wait(cell, stream);
      return false;
    }
    if (log != null) {
      long to = Math.max(clock[stream], signals.time(cell));
      log.await(
          stream, event, clock[stream], to, signals.postStream(cell), signals.postEvent(cell));
    }
    depth[stream] = Math.max(depth[stream], signals.depth(cell));
    if (signals.time(cell) > clock[stream]) {
      clock[stream] = signals.time(cell);
      cause[stream] = signals.cause(cell);
    }
    signals.clear(cell);
    return true;
  }

  // ---- data actions

  /** Whether no other stream uses the resources of the action that was read last. */
  private boolean runsAlone() {
    int src = demand.source();
    int dst = demand.destination();
    return demand.messages() <= 1
        && (demand.work() == 0 || contention.isUnitAlone(dst))
        && (src == Demand.NONE || contention.isAlone(src, dst, network.level(src, dst)));
  }

  /** Executes the action that was read last, which need not wait. */
  private void runAlone(int stream) {
    long from = clock[stream];
    long end = from;
    if (demand.source() != Demand.NONE) {
      end = TimeText.add(end, flight(demand.source(), demand.destination(), demand.bytes()));
      depth[stream]++;
    }
    end = TimeText.add(end, demand.work());
    int record = progress.nextRecord();
    if (log != null) {
      log.data(record, stream, position[stream], from, end, cause[stream]);
    }
    progress.end(stream, end, record);
  }

  /** The time of a message without contention. */
  private long flight(int src, int dst, long bytes) {
    int level = network.level(src, dst);
    LinkTerms terms = network.terms(level);
    long moving =
        fair == null
            ? terms.beta().time(bytes)
            : FairShare.duration((double) bytes, resources.pace(src, dst, level));
    return TimeText.add(TimeText.add(terms.overhead(), moving), terms.latency());
  }

  // ---- results

  /** The time at which each rank has finished, with all its streams. */
  long[] rankFinish() {
    long[] finish = new long[network.rankSize()];
    for (int stream = 0; stream < streams.length; stream++) {
      int rank = streams[stream].rank();
      finish[rank] = Math.max(finish[rank], clock[stream]);
    }
    return finish;
  }

  /** The messages on the longest chain of dependent actions. */
  int steps() {
    return Arrays.stream(depth).max().orElse(0);
  }

  /** The last action before the end, or NO_CAUSE if nothing takes time. */
  int lastRecord() {
    int last = 0;
    for (int stream = 1; stream < streams.length; stream++) {
      last = clock[stream] > clock[last] ? stream : last;
    }
    return cause[last];
  }
}
