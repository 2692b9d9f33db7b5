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
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.stream.IntStream;

/**
 * Has processes that can send each other messages know where rank 0 waits for them, and a token
 * that nobody else knows: rank 0 tells them in messages.
 *
 * @param seat of this process
 * @param door where they meet
 */
record KnownDoor(JobSeat seat, JobDoor door) {

  private static final int TOKEN_BYTES = 16;
  private static final long LOOK_NANOS = 100_000;

  /** A name of this machine that Linux has for it. */
  private static final Path HOSTNAME = Path.of("/proc/sys/kernel/hostname");

  /**
   * Tells it as rank 0, or hears it.
   *
   * @param patienceNanos how long to wait for the others
   */
  static KnownDoor of(MessageWorld world, Clock clock, long patienceNanos) {
    int[] all = IntStream.range(0, world.processes()).toArray();
    Exchange exchange =
        new Exchange(world.newWire(world.maxTag(), all), clock, clock.nanoTime() + patienceNanos);
    try (Arena arena = Arena.ofShared()) {
      return world.process() == 0 ? tell(world, exchange, arena) : hear(world, exchange, arena);
    }
  }

  private static KnownDoor tell(MessageWorld world, Exchange exchange, Arena arena) {
    NetworkDoor door;
    try {
      door = NetworkDoor.here();
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
    door.write(body);
    MemorySegment length = arena.allocate(ValueLayout.JAVA_LONG);
    MemorySegment bytes = arena.allocateFrom(ValueLayout.JAVA_BYTE, body.bytes());
    length.set(ValueLayout.JAVA_LONG, 0, bytes.byteSize());
    for (int rank = 1; rank < world.processes(); rank++) {
      exchange.send(rank, length);
      exchange.send(rank, bytes);
    }
    return new KnownDoor(new JobSeat(0, world.processes(), text, machine()), door);
  }

  private static KnownDoor hear(MessageWorld world, Exchange exchange, Arena arena) {
    MemorySegment length = arena.allocate(ValueLayout.JAVA_LONG);
    exchange.receive(0, length);
    MemorySegment bytes = arena.allocate(length.get(ValueLayout.JAVA_LONG, 0));
    exchange.receive(0, bytes);
    BodyReader body = new BodyReader(bytes.toArray(ValueLayout.JAVA_BYTE));
    String token = body.text();
    JobSeat seat = new JobSeat(world.process(), world.processes(), token, machine());
    return new KnownDoor(seat, NetworkDoor.read(body));
  }

  /** The name of this machine. */
  static String machine() {
    try {
      return Files.readString(HOSTNAME).strip();
    } catch (IOException e) {
      try {
        return InetAddress.getLocalHost().getHostName();
      } catch (UnknownHostException unknown) {
        return "localhost";
      }
    }
  }

  /** Messages one after another. */
  private record Exchange(Wire wire, Clock clock, long endNanos) {

    void send(int rank, MemorySegment bytes) {
      wire.send(0, rank, bytes, 0, bytes.byteSize());
      await();
    }

    void receive(int rank, MemorySegment bytes) {
      wire.receive(0, rank, bytes, 0, bytes.byteSize());
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
