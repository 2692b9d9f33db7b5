package dev.tutti.engine.memory;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Memory that several processes of one user share. The process that makes it keeps it open; others
 * reach it by that process and its descriptor. It has no name in any file system, so nothing is
 * left after the end of the processes. Its size never changes, so its pages cannot vanish.
 */
public final class SharedMemory {

  /** Its name in the list of a process's mappings. */
  static final String NAME = "tutti";

  private static final int MFD_CLOEXEC_ALLOW_SEALING = 1 | 2;
  private static final int F_ADD_SEALS = 1033;
  private static final int F_SEAL_SEAL_SHRINK_GROW = 1 | 2 | 4;
  private static final int O_RDWR_CLOEXEC = 2 | 0x80000;

  private SharedMemory() {}

  /**
   * The address of shared memory, as long as its maker is alive and has not freed it.
   *
   * @param process the maker's process number
   * @param descriptor its descriptor in that process, which may have another file after it was
   *     freed
   * @param file the number of its file, which no other memory has
   * @param bytes the size
   */
  public record Handle(long process, int descriptor, long file, long bytes) {}

  /** Functions of the C library, which are looked up when the first of them is needed. */
  private static final class Calls {
    static final MethodHandle MEMFD_CREATE =
        of(
            "memfd_create",
            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT));

    static final MethodHandle FTRUNCATE =
        of(
            "ftruncate",
            FunctionDescriptor.of(
                ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG));

    static final MethodHandle FCNTL =
        of(
            "fcntl",
            FunctionDescriptor.of(
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_INT),
            Linker.Option.firstVariadicArg(2));

    static final MethodHandle OPEN =
        of(
            "open",
            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT),
            Linker.Option.firstVariadicArg(2));

    static final MethodHandle CLOSE =
        of("close", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));

    private Calls() {}

    @SuppressWarnings("restricted")
    private static MethodHandle of(String name, FunctionDescriptor type, Linker.Option... options) {
      Linker linker = Linker.nativeLinker();
      return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type, options);
    }
  }

  /**
   * Refuses a system without such memory.
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
   * Makes a file in memory whose size does not change.
   *
   * @param bytes the size, more than 0
   * @return its descriptor
   * @throws TuttiException with {@link ErrorCode#OUT_OF_MEMORY} if the system has not enough memory
   */
  static int create(long bytes) {
    try (Arena arena = Arena.ofConfined()) {
      int descriptor =
          (int) Calls.MEMFD_CREATE.invokeExact(arena.allocateFrom(NAME), MFD_CLOEXEC_ALLOW_SEALING);
      if (descriptor >= 0) {
        if ((int) Calls.FTRUNCATE.invokeExact(descriptor, bytes) == 0
            && (int) Calls.FCNTL.invokeExact(descriptor, F_ADD_SEALS, F_SEAL_SEAL_SHRINK_GROW)
                == 0) {
          return descriptor;
        }
        close(descriptor);
      }
    } catch (Throwable t) {
      throw failed("memfd_create", t);
    }
    throw new TuttiException(
        ErrorCode.OUT_OF_MEMORY,
        "the system gives no shared memory of %d bytes; it may have reached its limit of open files",
        bytes);
  }

  /**
   * The handle of memory of this process.
   *
   * @param bytes its size
   */
  static Handle handle(int descriptor, long bytes) {
    return new Handle(ProcessHandle.current().pid(), descriptor, file(descriptor), bytes);
  }

  /** The number of the file of a descriptor. */
  private static long file(int descriptor) {
    try {
      return (long) Files.getAttribute(Path.of("/proc/self/fd/" + descriptor), "unix:ino");
    } catch (IOException e) {
      throw new TuttiException(
          ErrorCode.UNSUPPORTED, e, "the file of descriptor %d is not known: %s", descriptor, e);
    }
  }

  static void close(int descriptor) {
    try {
      int ignored = (int) Calls.CLOSE.invokeExact(descriptor);
    } catch (Throwable t) {
      throw failed("close", t);
    }
  }

  /**
   * Maps memory of another process. The mapping lasts as long as the segment can be reached, even
   * if the other process frees the memory or ends.
   *
   * @throws TuttiException with {@link ErrorCode#BUFFER_UNAVAILABLE} if it no longer exists or this
   *     process may not map it; {@link ErrorCode#OUT_OF_MEMORY}
   */
  public static MemorySegment map(Handle handle) {
    LinuxMemory linux = linux();
    String path = "/proc/" + handle.process() + "/fd/" + handle.descriptor();
    int descriptor = open(path);
    if (descriptor < 0) {
      throw new TuttiException(
          ErrorCode.BUFFER_UNAVAILABLE,
          "memory of process %d cannot be opened (%s): the process has ended or freed it, or it"
              + " belongs to another user or another container",
          handle.process(),
          path);
    }
    try {
      if (file(descriptor) != handle.file()) {
        throw new TuttiException(
            ErrorCode.BUFFER_UNAVAILABLE,
            "memory of process %d cannot be mapped: the process has freed it",
            handle.process());
      }
      return linux.mapShared(descriptor, handle.bytes(), Arena.ofAuto());
    } finally {
      close(descriptor);
    }
  }

  private static int open(String path) {
    try (Arena arena = Arena.ofConfined()) {
      return (int) Calls.OPEN.invokeExact(arena.allocateFrom(path), O_RDWR_CLOEXEC);
    } catch (Throwable t) {
      throw failed("open", t);
    }
  }

  private static TuttiException failed(String call, Throwable t) {
    return new TuttiException(ErrorCode.UNSUPPORTED, t, "%s could not be called: %s", call, t);
  }

  /** Makes the pages of mapped memory present, so that the first use does not wait for them. */
  public static void touch(MemorySegment mapped) {
    if (mapped.byteSize() > 0) {
      linux().populate(mapped);
    }
  }
}
