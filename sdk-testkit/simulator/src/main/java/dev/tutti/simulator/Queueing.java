package dev.tutti.simulator;

import dev.tutti.plan.RankPlan;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Runs the data actions that use ports or reducing units which other streams use, too. Each action
 * goes through phases, and waits for most of them in the heap. Not thread-safe.
 */
final class Queueing {

  private static final byte READY = 0;
  private static final byte SENDING = 1;
  private static final byte PULLING = 2;
  private static final byte ARRIVED = 3;

  private final Progress progress;
  private final Network network;
  private final @Nullable EngineLog log;
  private final EventHeap heap;
  private final @Nullable FairShare fair;
  private final Ports ports;

  // For the current data action of each stream
  private final byte[] phase;
  private final int[] record;
  private final long[] start;
  private final long[] arrival;
  private final long[] work;
  private final int[] workRank;
  private final int[] flying;

  /** The place of the next source of the action. */
  private final int[] turn;

  Queueing(
      Progress progress,
      Network network,
      @Nullable EngineLog log,
      EventHeap heap,
      @Nullable FairShare fair) {
    int count = progress.streams.length;
    this.progress = progress;
    this.network = network;
    this.log = log;
    this.heap = heap;
    this.fair = fair;
    this.ports = new Ports(network);
    this.phase = new byte[count];
    this.record = new int[count];
    this.start = new long[count];
    this.arrival = new long[count];
    this.work = new long[count];
    this.workRank = new int[count];
    this.flying = new int[count];
    this.turn = new int[count];
  }

  /** Makes a stream wait, at its own time, for the resources of its next action. */
  void add(int stream, Demand demand) {
    flying[stream] = demand.messages();
    work[stream] = demand.work();
    workRank[stream] = demand.destination();
    heap.put(stream, progress.clock[stream]);
  }

  void step(int stream, long now) {
    switch (phase[stream]) {
      case READY -> begin(stream, now);
      case SENDING -> startFlows(stream, now);
      case PULLING -> pull(stream, now);
      default -> work(stream, now);
    }
  }

  private void begin(int stream, long now) {
    RankPlan code = progress.streams[stream].plan(progress.position[stream]);
    int action = progress.streams[stream].action(progress.position[stream]);
    record[stream] = progress.nextRecord();
    start[stream] = now;
    arrival[stream] = now;
    if (flying[stream] == 0) {
      work(stream, now);
      return;
    }
    progress.depth[stream]++;
    if (fair == null) {
      pull(stream, now);
    } else {
      payOverhead(stream, code, action, now);
    }
  }

  /**
   * Sends the next message of an action through the ports at both ends; the message after it
   * requests the ports when this one has left. Rank r starts with the source that follows it in
   * rank order, because the order of sources is that of operands, not of arrivals. So ranks that
   * read from all ranks do not queue at the same one.
   */
  private void pull(int stream, long now) {
    RankPlan code = progress.streams[stream].plan(progress.position[stream]);
    int action = progress.streams[stream].action(progress.position[stream]);
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
    RankPlan code = progress.streams[stream].plan(progress.position[stream]);
    int action = progress.streams[stream].action(progress.position[stream]);
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

  void endFlow(int flow, long now) {
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

  /** All bytes of an action have arrived; it may request the reducing unit at that time only. */
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

  /** Notes that an action has waited for another one. Causes have smaller numbers, so paths end. */
  private void haveWaited(int stream, int before, long from) {
    if (before > record[stream]) {
      if (log != null) {
        log.part(
            record[stream],
            stream,
            progress.position[stream],
            start[stream],
            from,
            progress.cause[stream]);
      }
      record[stream] = progress.nextRecord();
    }
    progress.cause[stream] = before;
  }

  private void finish(int stream, long end) {
    if (log != null) {
      log.data(
          record[stream],
          stream,
          progress.position[stream],
          start[stream],
          end,
          progress.cause[stream]);
    }
    progress.end(stream, end, record[stream]);
    phase[stream] = READY;
    progress.position[stream]++;
    progress.wake(stream);
  }
}
