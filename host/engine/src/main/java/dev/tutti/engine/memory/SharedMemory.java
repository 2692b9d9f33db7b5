package dev.tutti.engine.memory;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Memory that several processes of one user share. Its maker keeps it open; others reach it by the
 * maker's process and descriptor. It has no name in any file system, so nothing is left when the
 * processes are gone, and its size never changes, so its pages cannot vanish.
 */
public final class SharedMemory {

  private SharedMemory() {}

  /**
   * Where shared memory is found as long as its maker lives and has not freed it.
   *
   * @param process the maker's process number
   * @param descriptor its number in that process
   * @param bytes the size
   */
  public record Handle(long process, int descriptor, long bytes) {}

  /**
   * Refuses a system on which there is no such memory.
   *
   * @throws TuttiException with {@link ErrorCode#UNSUPPORTED}
   */
  public static void requireAvailable() {
    LinuxMemory ignored = linux();
  }

  static LinuxMemory linux() {
    LinuxMemory linux = LinuxMemory.instance();
    if (linux == null) {
      throw new TuttiException(
          ErrorCode.UNSUPPORTED,
          "ranks in processes need shared memory, which Tutti has on 64-bit Linux only, with native"
              + " access: start Java with --enable-native-access=dev.tutti.engine");
    }
    return linux;
  }

  /**
   * Maps memory of another process. The mapping lasts as long as the segment can be reached, even
   * if the other process frees the memory or ends.
   *
   * @throws TuttiException with {@link ErrorCode#BUFFER_UNAVAILABLE} if it is not there any more or
   *     this process may not have it; {@link ErrorCode#OUT_OF_MEMORY}
   */
  public static MemorySegment map(Handle handle) {
    LinuxMemory linux = linux();
    String path = "/proc/" + handle.process() + "/fd/" + handle.descriptor();
    int descriptor = linux.openDescriptor(path);
    if (descriptor < 0) {
      throw new TuttiException(
          ErrorCode.BUFFER_UNAVAILABLE,
          "memory of process %d cannot be opened (%s): the process has ended or freed it, or it is of"
              + " another user or in another container",
          handle.process(),
          path);
    }
    try {
      return linux.mapShared(descriptor, handle.bytes(), Arena.ofAuto());
    } finally {
      linux.closeDescriptor(descriptor);
    }
  }

  /**
   * Makes the pages of mapped memory present, so that the first use does not wait for the system.
   */
  public static void touch(MemorySegment mapped) {
    if (mapped.byteSize() > 0) {
      boolean ignored = linux().populate(mapped);
    }
  }
}
