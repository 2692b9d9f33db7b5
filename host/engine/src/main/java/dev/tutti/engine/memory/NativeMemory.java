package dev.tutti.engine.memory;

import dev.tutti.base.text.Sentence;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A block of native memory, zero-filled, that every thread can reach. It starts on a page, or on a
 * huge page if it is large. Where the system can, it takes room only as far as it is touched.
 * Thread-safe.
 */
public final class NativeMemory implements AutoCloseable {

  /** The size and alignment of a huge page in bytes. */
  public static final long HUGE_PAGE = 2L << 20;

  /** The size and alignment of a page in bytes. */
  public static final long PAGE = 4096;

  /** From this size on, the memory that is left is looked at before an allocation. */
  private static final long CHECKED_BYTES = 64L << 20;

  private static final long BEYOND = 1L << 62;
  private static final long PER_NUMBER = 1L << 49;

  private final Arena arena;
  private final MemorySegment segment;
  private final @Nullable LinuxMemory linux;

  /** Where other processes find it; null if they cannot have it. */
  private final SharedMemory.@Nullable Handle handle;

  /** Is told when the memory is freed. */
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
   * Stands for memory of another process that nobody here touches: it has a size, and addresses
   * that no memory has. Whoever touched it would be stopped by the processor.
   *
   * @param number tells it from others, which it does not overlap; 0 to 4095
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
   *     ErrorCode#OUT_OF_MEMORY} if there is not that much
   */
  public static NativeMemory allocate(long bytes) {
    NativeMemory memory = reserve(bytes, bytes);
    memory.touch(0, bytes);
    return memory;
  }

  /**
   * Allocates memory of which perhaps only a part will ever be touched.
   *
   * @param bytes the size
   * @param expected bytes of it that are expected to be touched; decides about huge pages
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if a size is negative, {@link
   *     ErrorCode#OUT_OF_MEMORY} if there is not that much
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
   * Reserves memory that other processes can map too.
   *
   * @param bytes the size
   * @param expected bytes of it that are expected to be touched
   * @param whenFreed is told when the memory is freed
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
      long process = ProcessHandle.current().pid();
      return new NativeMemory(
          arena, segment, linux, new SharedMemory.Handle(process, descriptor, size), whenFreed);
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

  /** Where other processes find it; null if they cannot have it. */
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
