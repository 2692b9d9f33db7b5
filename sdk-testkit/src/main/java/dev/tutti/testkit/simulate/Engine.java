package dev.tutti.testkit.simulate;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.plan.RankPlan;
import dev.tutti.testkit.flow.FlatPlan;
import dev.tutti.testkit.flow.FlatStream;
import dev.tutti.testkit.flow.WaitGraph;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One simulation of one plan. Serves one run. Not thread-safe. */
final class Engine {

  /*
   * Every stream has a clock of its own. Posts and awaits only move clocks: a signal carries the time
   * at which it is there, and an await takes the later of that and its own clock, whichever is found
   * first. So they need no queue, and streams run ahead of one another through them freely.
   *
   * What only one stream of the plan uses cannot be contended (Contention finds it in one pass): an
   * action that needs nothing else takes its time at once, in the order of the stream. A ring needs no
   * queue at all.
   *
   * Other ports and reducing units are another matter: they serve in the order of time. A stream that comes
   * to an action on them waits in the heap with its clock, and the first one is taken. Whatever it
   * does next is at that time or later, so times never go back, and each port sees its requests in
   * order: exact for any plan, at one heap operation a message instead of one an event. A message
   * that is reduced comes back to the heap once more when its bytes have arrived, for the unit.
   *
   * One after another (Sharing.NONE), a message starts when the ports at both ends are free, holds
   * both for overhead + bytes * beta, and arrives a latency later. Later requests do not overtake,
   * even if their ports are free. Shared (Sharing.MAX_MIN), its bytes become a flow after the
   * overhead, and the end of the flow is an event.
   *
   * Equal times are taken in the order of stream numbers, then flows: a run is the same every time.
   */

  private static final byte READY = 0;
  private static final byte SENDING = 1;
  private static final byte PULLING = 2;
  private static final byte ARRIVED = 3;

  private final FlatPlan plan;
  private final FlatStream[] streams;
  private final Network network;
  private final @Nullable EngineLog log;
  private final EventHeap heap;
  private final Signals signals;
  private final Wires wires;
  private final Contention contention;
  private final @Nullable FairShare fair;
  private final Ports ports;
  private final Demand demand;
  private final long notifyTime;
  private final long localNotifyTime;

  // Of each stream
  private final int[] position;
  private final long[] clock;
  private final int[] depth;
  private final int[] cause;

  // Of the data action that a stream is at
  private final byte[] phase;
  private final int[] record;
  private final long[] start;
  private final long[] arrival;
  private final long[] work;
  private final int[] workRank;
  private final int[] flying;

  /** Where among the sources of its action a stream goes on. */
  private final int[] turn;

  private final int[] ready;
  private int readyCount;
  private int records;

  Engine(FlatPlan plan, Network network, @Nullable EngineLog log) {
    this.plan = plan;
    this.network = network;
    this.log = log;
    this.streams = plan.streams().toArray(FlatStream[]::new);
    int count = streams.length;
    NetworkModel model = network.model();
    this.heap = new EventHeap(count);
    this.signals = new Signals(plan.cellCount(), count);
    this.wires = new Wires(network);
    this.fair = model.sharing() == Sharing.MAX_MIN ? new FairShare(wires, heap, count) : null;
    this.contention = new Contention(plan, network, wires);
    this.ports = new Ports(network);
    this.demand = new Demand(model);
    this.notifyTime = model.notifyTime();
    this.localNotifyTime = model.localNotifyTime();
    this.position = new int[count];
    this.clock = new long[count];
    this.depth = new int[count];
    this.cause = new int[count];
    Arrays.fill(cause, EngineLog.NO_CAUSE);
    this.phase = new byte[count];
    this.record = new int[count];
    this.start = new long[count];
    this.arrival = new long[count];
    this.work = new long[count];
    this.workRank = new int[count];
    this.flying = new int[count];
    this.turn = new int[count];
    this.ready = new int[count];
  }

  /**
   * Runs to the end.
   *
   * @throws TuttiException with {@link ErrorCode#DEADLOCK} if the plan cannot finish
   */
  void run() {
    for (int stream = streams.length - 1; stream >= 0; stream--) {
      ready[readyCount++] = stream;
    }
    advanceAll();
    while (!heap.isEmpty()) {
      long now = heap.firstTime();
      do {
        int event = heap.take();
        if (event < streams.length) {
          step(event, now);
        } else {
          endFlow(event - streams.length, now);
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

  // ---- what takes no port

  private void advanceAll() {
    while (readyCount > 0) {
      advance(ready[--readyCount]);
    }
  }

  /** Runs a stream up to its next data action that takes time, to a wait, or to its end. */
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
          flying[stream] = demand.messages();
          work[stream] = demand.work();
          workRank[stream] = demand.destination();
          heap.put(stream, clock[stream]);
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
      ready[readyCount++] = waiter;
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

  /** Whether nobody else uses what the action needs that was read last. */
  private boolean runsAlone() {
    int src = demand.source();
    int dst = demand.destination();
    return demand.messages() <= 1
        && (demand.work() == 0 || contention.isUnitAlone(dst))
        && (src == Demand.NONE || contention.isAlone(src, dst, network.level(src, dst)));
  }

  /** Does the action that was read last, which need not wait for anybody. */
  private void runAlone(int stream) {
    long from = clock[stream];
    long end = from;
    if (demand.source() != Demand.NONE) {
      end = TimeText.add(end, flight(demand.source(), demand.destination(), demand.bytes()));
      depth[stream]++;
    }
    end = TimeText.add(end, demand.work());
    if (log != null) {
      log.data(records, stream, position[stream], from, end, cause[stream]);
    }
    clock[stream] = end;
    cause[stream] = records++;
  }

  /** The time of a message that meets no other one. */
  private long flight(int src, int dst, long bytes) {
    int level = network.level(src, dst);
    LinkTerms terms = network.terms(level);
    long moving =
        fair == null
            ? terms.beta().time(bytes)
            : FairShare.duration((double) bytes, wires.pace(src, dst, level));
    return TimeText.add(TimeText.add(terms.overhead(), moving), terms.latency());
  }

  private void step(int stream, long now) {
    switch (phase[stream]) {
      case READY -> begin(stream, now);
      case SENDING -> startFlows(stream, now);
      case PULLING -> pull(stream, now);
      default -> work(stream, now);
    }
  }

  private void begin(int stream, long now) {
    RankPlan code = streams[stream].plan(position[stream]);
    int action = streams[stream].action(position[stream]);
    record[stream] = records++;
    start[stream] = now;
    arrival[stream] = now;
    if (flying[stream] == 0) {
      work(stream, now);
      return;
    }
    depth[stream]++;
    if (fair == null) {
      pull(stream, now);
    } else {
      payOverhead(stream, code, action, now);
    }
  }

  /**
   * Sends the next message of an action through the ports at both ends; the one after it asks for
   * them when this one has left. Rank r starts with the source that follows it in rank order, as
   * the order of sources is that of operands and not of arrivals: so ranks that all read from all
   * do not queue at one of them.
   */
  private void pull(int stream, long now) {
    RankPlan code = streams[stream].plan(position[stream]);
    int action = streams[stream].action(position[stream]);
    int dst = code.dstRank(action);
    int own = record[stream];
    int src = nextSource(stream, code, action, dst);
    int level = network.level(src, dst);
    LinkTerms terms = network.terms(level);
    long held = TimeText.add(terms.overhead(), terms.beta().time(code.bytes(action)));
    long from = ports.send(network.port(src, level), network.port(dst, level), now, held, own);
    long left = TimeText.add(from, held);
    long there = TimeText.add(left, terms.latency());
    boolean hasWaited = ports.before() != EngineLog.NO_CAUSE && ports.before() != own;
    if (hasWaited && there > arrival[stream]) {
      haveWaited(stream, ports.before(), from);
    }
    if (phase[stream] == READY) {
      start[stream] = from;
    }
    arrival[stream] = Math.max(arrival[stream], there);
    if (--flying[stream] == 0) {
      arrived(stream);
    } else {
      phase[stream] = PULLING;
      heap.put(stream, left);
    }
  }

  /** The next remote source of an action, in rank order from the destination on. */
  private int nextSource(int stream, RankPlan code, int action, int dst) {
    int count = code.sourceCount(action);
    if (phase[stream] == READY) {
      int first = 0;
      while (first < count && code.srcRank(action, first) <= dst) {
        first++;
      }
      turn[stream] = first;
    }
    int src = dst;
    while (src == dst) {
      src = code.srcRank(action, turn[stream]++ % count);
    }
    return src;
  }

  private void payOverhead(int stream, RankPlan code, int action, long now) {
    int dst = code.dstRank(action);
    long overhead = 0;
    for (int i = 0; i < code.sourceCount(action); i++) {
      int src = code.srcRank(action, i);
      if (src != dst) {
        overhead = TimeText.add(overhead, network.terms(network.level(src, dst)).overhead());
      }
    }
    if (overhead == 0) {
      startFlows(stream, now);
    } else {
      phase[stream] = SENDING;
      heap.put(stream, TimeText.add(now, overhead));
    }
  }

  private void startFlows(int stream, long now) {
    FairShare shared = Objects.requireNonNull(fair);
    RankPlan code = streams[stream].plan(position[stream]);
    int action = streams[stream].action(position[stream]);
    int dst = code.dstRank(action);
    long bytes = code.bytes(action);
    for (int i = 0; i < code.sourceCount(action); i++) {
      int src = code.srcRank(action, i);
      if (src != dst) {
        int level = network.level(src, dst);
        if (!shared.start(stream, src, dst, level, bytes, now)) {
          land(stream, level, now);
        }
      }
    }
  }

  private void endFlow(int flow, long now) {
    FairShare shared = Objects.requireNonNull(fair);
    int stream = shared.owner(flow);
    int level = shared.level(flow);
    shared.end(flow);
    land(stream, level, now);
  }

  /** The last byte of one message has left. */
  private void land(int stream, int level, long now) {
    long there = TimeText.add(now, network.terms(level).latency());
    arrival[stream] = Math.max(arrival[stream], there);
    if (--flying[stream] == 0) {
      arrived(stream);
    }
  }

  /** All bytes of an action are there; the reducing unit may be asked for at that time only. */
  private void arrived(int stream) {
    if (work[stream] == 0) {
      finish(stream, arrival[stream]);
    } else if (fair == null && arrival[stream] < heap.firstTime()) {
      work(stream, arrival[stream]);
    } else {
      phase[stream] = ARRIVED;
      heap.put(stream, arrival[stream]);
    }
  }

  /** Reduces or copies, when the unit of the rank is free. */
  private void work(int stream, long now) {
    long from = now;
    if (work[stream] > 0) {
      from = ports.work(workRank[stream], now, work[stream], record[stream]);
      if (from > now && ports.before() != record[stream]) {
        haveWaited(stream, ports.before(), from);
      }
    }
    if (arrival[stream] == start[stream]) {
      start[stream] = from;
    }
    finish(stream, TimeText.add(from, work[stream]));
  }

  /** An action goes on after another one; causes have smaller numbers, so that paths end. */
  private void haveWaited(int stream, int before, long from) {
    if (before > record[stream]) {
      if (log != null) {
        log.part(record[stream], stream, position[stream], start[stream], from, cause[stream]);
      }
      record[stream] = records++;
    }
    cause[stream] = before;
  }

  private void finish(int stream, long end) {
    if (log != null) {
      log.data(record[stream], stream, position[stream], start[stream], end, cause[stream]);
    }
    clock[stream] = end;
    cause[stream] = record[stream];
    phase[stream] = READY;
    position[stream]++;
    ready[readyCount++] = stream;
  }

  // ---- results

  /** When each rank has finished, all its streams included. */
  long[] rankFinish() {
    long[] finish = new long[network.rankSize()];
    for (int stream = 0; stream < streams.length; stream++) {
      int rank = streams[stream].rank();
      finish[rank] = Math.max(finish[rank], clock[stream]);
    }
    return finish;
  }

  /** The messages on the longest chain of actions that wait for one another. */
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
