package dev.tutti.host.buffers;

import dev.tutti.engine.memory.FileMappings;
import dev.tutti.engine.memory.NativeMemory;
import dev.tutti.host.job.MemoryWindows;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The memory that all ranks of a context can reach, and its allocator. If the ranks are threads of
 * one process, they can reach all native memory; otherwise only the memory that the processes
 * share. Thread-safe.
 */
public final class Reach {

  private final FileMappings mappings;
  private final @Nullable MemoryWindows windows;
  private final BooleanSupplier isTouched;

  private Reach(FileMappings mappings, @Nullable MemoryWindows windows, BooleanSupplier isTouched) {
    this.mappings = mappings;
    this.windows = windows;
    this.isTouched = isTouched;
  }

  /** For ranks in this process. */
  public static Reach ofThreads(FileMappings mappings) {
    return new Reach(mappings, null, () -> false);
  }

  /** For ranks in several processes. */
  public static Reach ofProcesses(FileMappings mappings, MemoryWindows windows) {
    return new Reach(mappings, windows, () -> false);
  }

  /**
   * For ranks in several processes without shared memory; each process reaches its own memory.
   *
   * @param isTouched whether messages may still read or write memory that is no longer in use
   */
  public static Reach ofMessages(FileMappings mappings, BooleanSupplier isTouched) {
    return new Reach(mappings, null, isTouched);
  }

  /**
   * Frees memory of {@link #reserve} or {@link #allocate}. If messages may still touch the memory,
   * freeing it could crash the JVM, so it stays allocated until the process ends.
   */
  public void free(NativeMemory memory) {
    if (!isTouched.getAsBoolean()) {
      memory.close();
    }
  }

  /** The memory that the processes share; null if all ranks are threads of one process. */
  public @Nullable MemoryWindows windows() {
    return windows;
  }

  /** Whether peers cannot reach a buffer, or its pages can vanish while peers use them. */
  public boolean isPrivate(MemorySegment buffer) {
    if (windows != null) {
      return !windows.holds(buffer);
    }
    return CallerBuffers.needsStaging(buffer)
        || !mappings.among(Collections.singleton(buffer)).isEmpty();
  }

  /**
   * Whether a plan may use a private buffer directly, only for the buffer's own rank. It may if any
   * thread of this process may touch the buffer, and its pages cannot vanish.
   */
  public boolean canBeLeft(MemorySegment buffer) {
    return CallerBuffers.isShared(buffer)
        && mappings.among(Collections.singleton(buffer)).isEmpty();
  }

  /**
   * Reserves memory that all ranks can reach.
   *
   * @param bytes the size
   * @param expected the bytes that are likely to be touched
   */
  public NativeMemory reserve(long bytes, long expected) {
    return windows == null
        ? NativeMemory.reserve(bytes, expected)
        : windows.reserve(bytes, expected);
  }

  /** Allocates memory that all ranks can reach, and touches all of its pages. */
  public NativeMemory allocate(long bytes) {
    NativeMemory memory = reserve(bytes, bytes);
    memory.touch(0, bytes);
    return memory;
  }
}
