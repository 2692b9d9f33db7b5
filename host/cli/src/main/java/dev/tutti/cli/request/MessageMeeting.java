package dev.tutti.cli.request;

import dev.tutti.base.idle.Clock;
import dev.tutti.base.idle.IdlePhase;
import dev.tutti.base.idle.Idler;
import dev.tutti.base.idle.Waiting;
import dev.tutti.engine.message.MessageWorld;
import dev.tutti.engine.message.Wire;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.stream.IntStream;

/**
 * A meeting of processes that MPI connects. It is an all-gather by dissemination: in each round, a
 * process passes on the numbers it has, twice as far as in the round before. All processes finish
 * after about log2(n) rounds, at about the same time.
 */
final class MessageMeeting implements JobMeeting {

  private static final int SENT = 0;
  private static final int RECEIVED = 1;

  private final int process;
  private final int processes;
  private final Peers peers;
  private final Duration patience;
  private final Clock clock;
  private final Idler idler;
  private final Wire wire;

  /** The numbers of the processes, starting with this one. */
  private final MemorySegment said;

  MessageMeeting(MessageWorld world, Peers peers, Waiting waiting, Duration patience) {
    this.process = world.process();
    this.processes = world.processes();
    this.peers = peers;
    this.patience = patience;
    this.clock = waiting.clock();
    this.idler = waiting.messages(processes).newIdler();
    // No group has this tag, because groups use the lowest tags.
    this.wire = world.newWire(world.maxTag() - 1, IntStream.range(0, processes).toArray());
    this.said = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG, processes);
  }

  @Override
  public void meet(long number) {
    said.setAtIndex(ValueLayout.JAVA_LONG, 0, number);
    long end = clock.nanoTime() + patience.toNanos();
    for (int known = 1; known < processes; known *= 2) {
      int sent = Math.min(known, processes - known);
      wire.send(SENT, (process + processes - known) % processes, said, 0, (long) sent * Long.BYTES);
      wire.receive(
          RECEIVED,
          (process + known) % processes,
          said,
          (long) known * Long.BYTES,
          (long) sent * Long.BYTES);
      await(RECEIVED, end);
      await(SENT, end);
    }
  }

  private void await(int message, long end) {
    idler.reset();
    while (!wire.isDone(message)) {
      if (idler.idle() == IdlePhase.PARK) {
        peers.requireAll();
        if (clock.nanoTime() - end > 0) {
          wire.giveUp();
          throw new TuttiException(
              ErrorCode.DEADLINE_EXCEEDED,
              "process %d has waited %d ms between two operations for others that have not arrived",
              process,
              patience.toMillis());
        }
        clock.park(this, Waiting.PARK_NANOS);
      }
    }
  }

  @Override
  public long saidBy(int other) {
    return said.getAtIndex(ValueLayout.JAVA_LONG, Math.floorMod(other - process, processes));
  }

  @Override
  public void close() {}
}
