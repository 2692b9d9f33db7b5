package dev.tutti.host.job;

import dev.tutti.base.idle.Clock;
import dev.tutti.engine.message.MessageWorld;
import dev.tutti.engine.message.Wire;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.stream.IntStream;

/**
 * Sends the address of rank 0 and a new token in messages to all processes of a job.
 *
 * @param member the identity of this process
 * @param endpoint where rank 0 accepts the others
 */
record EndpointExchange(JobMember member, JobEndpoint endpoint) {

  private static final int TOKEN_BYTES = 16;
  private static final long LOOK_NANOS = 100_000;

  /**
   * Sends both as rank 0, or receives them as any other rank.
   *
   * @param ranks the number of ranks of this process
   * @param patienceNanos the longest time to wait for the others
   */
  static EndpointExchange of(MessageWorld world, int ranks, Clock clock, long patienceNanos) {
    int[] all = IntStream.range(0, world.processes()).toArray();
    Exchange exchange =
        new Exchange(world.newWire(world.maxTag(), all), clock, clock.nanoTime() + patienceNanos);
    try (Arena arena = Arena.ofShared()) {
      return world.process() == 0
          ? send(world, ranks, exchange, arena)
          : receive(world, ranks, exchange, arena);
    }
  }

  private static EndpointExchange send(
      MessageWorld world, int ranks, Exchange exchange, Arena arena) {
    TcpEndpoint endpoint;
    try {
      endpoint = TcpEndpoint.here();
    } catch (IOException e) {
      throw new TuttiException(
          ErrorCode.JOB_REFUSED,
          e,
          "rank 0 cannot listen on a port of this machine: %s",
          e.getMessage());
    }
    byte[] token = new byte[TOKEN_BYTES];
    new SecureRandom().nextBytes(token);
    String text = HexFormat.of().formatHex(token);
    BodyWriter body = new BodyWriter().text(text);
    endpoint.write(body);
    MemorySegment length = arena.allocate(ValueLayout.JAVA_LONG);
    MemorySegment bytes = arena.allocateFrom(ValueLayout.JAVA_BYTE, body.bytes());
    length.set(ValueLayout.JAVA_LONG, 0, bytes.byteSize());
    for (int process = 1; process < world.processes(); process++) {
      exchange.send(process, length);
      exchange.send(process, bytes);
    }
    return new EndpointExchange(JobMember.here(0, world.processes(), ranks, text), endpoint);
  }

  private static EndpointExchange receive(
      MessageWorld world, int ranks, Exchange exchange, Arena arena) {
    MemorySegment length = arena.allocate(ValueLayout.JAVA_LONG);
    exchange.receive(0, length);
    MemorySegment bytes = arena.allocate(length.get(ValueLayout.JAVA_LONG, 0));
    exchange.receive(0, bytes);
    BodyReader body = new BodyReader(bytes.toArray(ValueLayout.JAVA_BYTE));
    String token = body.text();
    JobMember member = JobMember.here(world.process(), world.processes(), ranks, token);
    return new EndpointExchange(member, TcpEndpoint.read(body));
  }

  /** Sends and receives one message at a time. */
  private record Exchange(Wire wire, Clock clock, long endNanos) {

    void send(int process, MemorySegment bytes) {
      wire.send(0, process, bytes, 0, bytes.byteSize());
      await();
    }

    void receive(int process, MemorySegment bytes) {
      wire.receive(0, process, bytes, 0, bytes.byteSize());
      await();
    }

    private void await() {
      while (!wire.isDone(0)) {
        if (clock.nanoTime() - endNanos > 0) {
          wire.giveUp();
          throw new TuttiException(
              ErrorCode.JOB_REFUSED,
              "the other processes of the job did not answer in time; did all of them start Tutti?");
        }
        clock.park(this, LOOK_NANOS);
      }
    }
  }
}
