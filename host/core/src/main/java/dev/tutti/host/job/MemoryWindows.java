package dev.tutti.host.job;

import dev.tutti.base.idle.Clock;
import dev.tutti.engine.memory.NativeMemory;
import dev.tutti.engine.memory.SharedMemory;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The shared memory of a job's processes, as one of them sees it: what it has made itself, by
 * address, and what it has mapped of others. Thread-safe.
 */
public final class MemoryWindows {

  private static final long END_NANOS = 1_000_000_000;
  private static final long LOOK_NANOS = 1_000_000;

  private final int rank;
  private final AtomicLong numbers = new AtomicLong();
  private final ConcurrentSkipListMap<Long, Own> own = new ConcurrentSkipListMap<>();
  private final Map<Key, Peer> peers = new ConcurrentHashMap<>();
  private final LongConsumer whenFreed;

  private record Own(long number, NativeMemory memory) {}

  private record Key(int rank, long number) {}

  /** Mapped memory of another process, and how far its pages are known to be present. */
  private static final class Peer {
    private final MemorySegment memory;
    private long from;
    private long to;

    Peer(MemorySegment memory) {
      this.memory = memory;
    }

    synchronized void touch(long start, long end) {
      if (start >= from && end <= to) {
        return;
      }
      SharedMemory.touch(memory.asSlice(start, end - start));
      boolean isApart = to == from || start > to || end < from;
      from = isApart ? start : Math.min(from, start);
      to = isApart ? end : Math.max(to, end);
    }
  }

  /**
   * Where bytes of a rank lie.
   *
   * @param rank the rank of the job that has made the memory
   * @param number tells the memory from all others of its rank
   * @param handle where the memory is found
   * @param offset bytes from its start
   * @param bytes how many
   */
  public record Place(int rank, long number, SharedMemory.Handle handle, long offset, long bytes) {

    /** Adds it to a message. */
    public void write(BodyWriter body) {
      body.number(rank).number(number).number(handle.process()).number(handle.descriptor());
      body.number(handle.bytes()).number(offset).number(bytes);
    }

    /** Reads what {@link #write} has written. */
    public static Place read(BodyReader body) {
      int rank = body.count();
      long number = body.number();
      SharedMemory.Handle handle =
          new SharedMemory.Handle(body.number(), body.count(), body.number());
      return new Place(rank, number, handle, body.number(), body.number());
    }

    /** Adds a place to a message, or that there is none. */
    public static void write(BodyWriter body, @Nullable Place place) {
      body.number(place == null ? 0 : 1);
      if (place != null) {
        place.write(body);
      }
    }

    /** Reads what that has written. */
    public static @Nullable Place readAny(BodyReader body) {
      return body.number() == 0 ? null : read(body);
    }
  }

  /**
   * No memory yet.
   *
   * @param rank of this process in the job
   * @param whenFreed gets the number of memory that this process frees
   */
  MemoryWindows(int rank, LongConsumer whenFreed) {
    this.rank = rank;
    this.whenFreed = whenFreed;
  }

  /**
   * Makes memory that the others can reach.
   *
   * @param bytes the size
   * @param expected bytes of it that are expected to be touched
   */
  public NativeMemory reserve(long bytes, long expected) {
    NativeMemory memory = NativeMemory.reserveShared(bytes, expected, this::freed);
    long address = memory.segment().address();
    own.put(address, new Own(numbers.incrementAndGet(), memory));
    return memory;
  }

  private void freed(NativeMemory memory) {
    Own known = own.remove(memory.segment().address());
    if (known != null) {
      whenFreed.accept(known.number());
    }
  }

  private @Nullable Own holding(MemorySegment segment) {
    Map.@Nullable Entry<Long, Own> found =
        segment.isNative() ? own.floorEntry(segment.address()) : null;
    if (found == null) {
      return null;
    }
    MemorySegment memory = found.getValue().memory().segment();
    boolean isInside =
        segment.scope().equals(memory.scope())
            && segment.address() + segment.byteSize() <= memory.address() + memory.byteSize();
    return isInside ? found.getValue() : null;
  }

  /** Whether others can reach a segment of this process. */
  public boolean holds(MemorySegment segment) {
    return holding(segment) != null;
  }

  /**
   * Where a segment of this process lies.
   *
   * @throws TuttiException with {@link ErrorCode#BUFFER_UNAVAILABLE} if others cannot reach it
   */
  public Place placeOf(MemorySegment segment) {
    Own found = holding(segment);
    if (found == null) {
      throw new TuttiException(
          ErrorCode.BUFFER_UNAVAILABLE,
          "memory was freed while an operation that uses it began; keep it until the operation has"
              + " ended");
    }
    SharedMemory.Handle handle = Objects.requireNonNull(found.memory().handle(), "shared");
    long offset = segment.address() - found.memory().segment().address();
    return new Place(rank, found.number(), handle, offset, segment.byteSize());
  }

  /** Adds to a message where a segment of this process lies, or that there is none. */
  public void write(BodyWriter body, @Nullable MemorySegment segment) {
    Place.write(body, segment == null ? null : placeOf(segment));
  }

  /**
   * Reads what {@link #write} has written in another process.
   *
   * @param isUsed as for {@link #segment}
   */
  public @Nullable MemorySegment read(BodyReader body, boolean isUsed) {
    Place place = Place.readAny(body);
    return place == null ? null : segment(place, isUsed);
  }

  /**
   * The bytes of another process.
   *
   * @param isUsed whether all of them are about to be used, so that their pages should be present
   * @throws TuttiException with {@link ErrorCode#BUFFER_UNAVAILABLE} if they are not there; {@link
   *     ErrorCode#PEER_LOST} if their process has ended; {@link ErrorCode#OUT_OF_BOUNDS} if they
   *     reach beyond their memory
   */
  public MemorySegment segment(Place place, boolean isUsed) {
    Peer peer = peer(place);
    if (isUsed) {
      peer.touch(place.offset(), place.offset() + place.bytes());
    }
    return peer.memory.asSlice(place.offset(), place.bytes());
  }

  /**
   * All memory of another process that a place is a part of.
   *
   * @throws TuttiException as {@link #segment}
   */
  public MemorySegment allocation(Place place) {
    return peer(place).memory;
  }

  private Peer peer(Place place) {
    SharedMemory.Handle handle = place.handle();
    if (place.offset() < 0
        || place.bytes() < 0
        || place.offset() > handle.bytes() - place.bytes()) {
      throw new TuttiException(
          ErrorCode.OUT_OF_BOUNDS,
          "%d bytes at %d reach beyond the %d bytes of memory %d of process %d",
          place.bytes(),
          place.offset(),
          handle.bytes(),
          place.number(),
          handle.process());
    }
    return peers.computeIfAbsent(
        new Key(place.rank(), place.number()), key -> new Peer(mapped(place)));
  }

  private static MemorySegment mapped(Place place) {
    try {
      return SharedMemory.map(place.handle());
    } catch (TuttiException e) {
      // When a process ends, its memory disappears first, and the notice of its end comes a moment
      // later.
      long process = place.handle().process();
      boolean hasEnded =
          Clock.system()
              .awaitUntil(() -> !ProcessState.of(process).isAlive(), END_NANOS, LOOK_NANOS);
      if (!hasEnded) {
        throw e;
      }
      throw new TuttiException(
          ErrorCode.PEER_LOST, e, "rank %d is lost: process %d has ended", place.rank(), process);
    }
  }

  /** Forgets memory that its rank has freed. */
  void forget(int ofRank, long number) {
    peers.remove(new Key(ofRank, number));
  }
}
