package dev.tutti.engine.memory;

import dev.tutti.base.text.Sentence;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A block of native memory, zero-filled, that every thread can reach. It starts at a page, or at a
 * huge page if it is large. If the system can do it, only touched pages take memory. Thread-safe.
 */
public final class NativeMemory implements AutoCloseable {

  /** The size and alignment of a huge page in bytes. */
  public static final long HUGE_PAGE = 2L << 20;

  /** The size and alignment of a page in bytes. */
  public static final long PAGE = 4096;

  /** For this size or more, the available memory is checked before an allocation. */
  private static final long CHECKED_BYTES = 64L << 20;

  private static final long BEYOND = 1L << 62;
  private static final long PER_NUMBER = 1L << 49;

  private final Arena arena;
  private final MemorySegment segment;
  private final @Nullable LinuxMemory linux;

  /** The handle for other processes; null if they cannot map it. */
  private final SharedMemory.@Nullable Handle handle;

  /** Receives the memory when it is freed. */
  private final Consumer<NativeMemory> whenFreed;

  private NativeMemory(Arena arena, MemorySegment segment, @Nullable LinuxMemory linux) {
    this(arena, segment, linux, null, memory -> {});
  }

  private NativeMemory(
      Arena arena,
      MemorySegment segment,
      @Nullable LinuxMemory linux,
      SharedMemory.@Nullable Handle handle,
      Consumer<NativeMemory> whenFreed) {
    this.whenFreed = whenFreed;
    this.arena = arena;
    this.segment = segment;
    this.linux = linux;
    this.handle = handle;
  }

  /**
   * A placeholder for memory of another process that this process never touches. It has a size, and
   * addresses that no memory has; the processor would stop any access.
   *
   * @param number its number, 0 to 4095; placeholders with different numbers do not overlap
   * @param bytes less than 2^49
   */
  @SuppressWarnings("restricted")
  public static MemorySegment beyond(int number, long bytes) {
    return MemorySegment.ofAddress(BEYOND + number * PER_NUMBER).reinterpret(bytes);
  }

  /**
   * Allocates memory and makes all of it present.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if the size is negative, {@link
   *     ErrorCode#OUT_OF_MEMORY} if there is not enough
   */
  public static NativeMemory allocate(long bytes) {
    NativeMemory memory = reserve(bytes, bytes);
    memory.touch(0, bytes);
    return memory;
  }

  /**
   * Allocates memory that may be touched only in part.
   *
   * @param bytes the size
   * @param expected bytes of it that are expected to be touched; decides about huge pages
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if a size is negative, {@link
   *     ErrorCode#OUT_OF_MEMORY} if there is not enough
   */
  public static NativeMemory reserve(long bytes, long expected) {
    check(bytes, expected);
    LinuxMemory linux = LinuxMemory.instance();
    Arena arena = Arena.ofShared();
    try {
      if (linux != null && bytes >= PAGE) {
        return new NativeMemory(arena, linux.map(bytes, expected, arena), linux);
      }
      long alignment = bytes >= HUGE_PAGE ? HUGE_PAGE : PAGE;
      if (bytes > Long.MAX_VALUE - alignment) {
        throw outOfMemory(bytes, null);
      }
      return new NativeMemory(arena, arena.allocate(bytes, alignment), null);
    } catch (OutOfMemoryError e) {
      arena.close();
      throw outOfMemory(bytes, e);
    } catch (RuntimeException e) {
      arena.close();
      throw e;
    }
  }

  /**
   * Reserves memory that other processes can map, too.
   *
   * @param bytes the size
   * @param expected bytes of it that are expected to be touched
   * @param whenFreed receives the memory when it is freed
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if a size is negative, {@link
   *     ErrorCode#OUT_OF_MEMORY} if there is not that much, {@link ErrorCode#UNSUPPORTED} on a
   *     system without such memory
   */
  public static NativeMemory reserveShared(
      long bytes, long expected, Consumer<NativeMemory> whenFreed) {
    check(bytes, expected);
    LinuxMemory linux = SharedMemory.linux();
    long size = Math.max(1, bytes);
    int descriptor = SharedMemory.create(size);
    Arena arena = Arena.ofShared();
    try {
      MemorySegment segment = linux.mapShared(descriptor, size, arena).asSlice(0, bytes);
      SharedMemory.Handle handle = SharedMemory.handle(descriptor, size);
      return new NativeMemory(arena, segment, linux, handle, whenFreed);
    } catch (RuntimeException e) {
      arena.close();
      SharedMemory.close(descriptor);
      throw e;
    }
  }

  private static void check(long bytes, long expected) {
    if (bytes < 0 || expected < 0 || expected > bytes) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "the size of memory must be 0 or more bytes. Actual: %d",
          bytes);
    }
    if (expected >= CHECKED_BYTES && expected > AvailableMemory.bytes()) {
      throw outOfMemory(bytes, null);
    }
  }

  /** The handle for other processes; null if they cannot map it. */
  public SharedMemory.@Nullable Handle handle() {
    return handle;
  }

  static TuttiException outOfMemory(long bytes, @Nullable Throwable cause) {
    String message =
        Sentence.of(
            "not enough native memory for %d bytes; %d MiB are available",
            bytes, AvailableMemory.bytes() >> 20);
    return cause == null
        ? new TuttiException(ErrorCode.OUT_OF_MEMORY, "%s", message)
        : new TuttiException(ErrorCode.OUT_OF_MEMORY, cause, "%s", message);
  }

  /**
   * Makes a part present without changing it, so that its first use does not wait for the system.
   *
   * @param offset bytes from the start
   * @param bytes the size of the part
   */
  public void touch(long offset, long bytes) {
    if (linux != null && bytes > 0) {
      linux.populate(segment.asSlice(offset, bytes));
    }
  }

  /** The memory. */
  public MemorySegment segment() {
    return segment;
  }

  /** Frees the memory. Must be called once, when no thread uses it. */
  @Override
  public void close() {
    arena.close();
    whenFreed.accept(this);
    if (handle != null) {
      SharedMemory.close(handle.descriptor());
    }
  }
}
