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
 * The shared memory of a job, as one process sees it: the memory that it has made, by address, and
 * the memory of others that it has mapped. Thread-safe.
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

  /** Mapped memory of another process, and the range of its pages known to be present. */
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
   * A range of bytes in the memory of a rank.
   *
   * @param rank the rank of the job that has made the memory
   * @param number the number of the memory, which is unique in its rank
   * @param handle the handle with which the memory can be mapped
   * @param offset the first byte, from the start of the memory
   * @param bytes the number of bytes
   */
  public record Place(int rank, long number, SharedMemory.Handle handle, long offset, long bytes) {

    /** Adds the place to a message. */
    public void write(BodyWriter body) {
      body.number(rank).number(number).number(handle.process()).number(handle.descriptor());
      body.number(handle.file()).number(handle.bytes()).number(offset).number(bytes);
    }

    /** Reads what {@link #write} has written. */
    public static Place read(BodyReader body) {
      int rank = body.count();
      long number = body.number();
      SharedMemory.Handle handle =
          new SharedMemory.Handle(body.number(), body.count(), body.number(), body.number());
      return new Place(rank, number, handle, body.number(), body.number());
    }

    /** Adds a place, or a mark for no place, to a message. */
    public static void write(BodyWriter body, @Nullable Place place) {
      body.number(place == null ? 0 : 1);
      if (place != null) {
        place.write(body);
      }
    }

    /** Reads what {@link #write(BodyWriter, Place)} has written. */
    public static @Nullable Place readAny(BodyReader body) {
      return body.number() == 0 ? null : read(body);
    }
  }

  /**
   * Starts without memory.
   *
   * @param rank the rank of this process in the job
   * @param whenFreed gets the number of memory that this process frees
   */
  MemoryWindows(int rank, LongConsumer whenFreed) {
    this.rank = rank;
    this.whenFreed = whenFreed;
  }

  /**
   * Allocates memory that the other processes can reach.
   *
   * @param bytes the size
   * @param expected the bytes that are likely to be touched
   */
  public NativeMemory reserve(long bytes, long expected) {
    long number = numbers.incrementAndGet();
    NativeMemory memory =
        NativeMemory.reserveShared(bytes, expected, freed -> free(new Own(number, freed)));
    own.put(memory.segment().address(), new Own(number, memory));
    return memory;
  }

  private void free(Own freed) {
    // Another thread may have got new memory at the same address already.
    own.remove(freed.memory().segment().address(), freed);
    whenFreed.accept(freed.number());
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
   * The place of a segment of this process.
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

  /** Adds the place of a segment of this process, or a mark for no segment, to a message. */
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
   * @throws TuttiException with {@link ErrorCode#BUFFER_UNAVAILABLE} if they cannot be mapped;
   *     {@link ErrorCode#PEER_LOST} if their process has ended; {@link ErrorCode#OUT_OF_BOUNDS} if
   *     they reach beyond their memory
   */
  public MemorySegment segment(Place place, boolean isUsed) {
    Peer peer = peer(place);
    if (isUsed) {
      peer.touch(place.offset(), place.offset() + place.bytes());
    }
    return peer.memory.asSlice(place.offset(), place.bytes());
  }

  /**
   * The whole memory of another process that contains a place.
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

  /** Drops memory that its rank has freed. */
  void forget(int ofRank, long number) {
    peers.remove(new Key(ofRank, number));
  }
}
