package dev.tutti.engine.memory;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Locale;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * Mappings of Linux: pages appear when they are touched, and large blocks ask for huge pages before
 * that. Used only where the JVM grants native access to this module; elsewhere memory comes from
 * the JVM's own allocator.
 */
final class LinuxMemory {

  /** What the list of a process's mappings calls shared memory. */
  static final String NAME = "tutti";

  private static final int PROT_READ_WRITE = 1 | 2;
  private static final int MAP_PRIVATE_ANONYMOUS = 0x02 | 0x20;
  private static final int MAP_NORESERVE = 0x4000;
  private static final int MAP_SHARED = 0x01;
  private static final int MFD_CLOEXEC_ALLOW_SEALING = 1 | 2;
  private static final int F_ADD_SEALS = 1033;
  private static final int F_SEAL_SEAL_SHRINK_GROW = 1 | 2 | 4;
  private static final int O_RDWR_CLOEXEC = 2 | 0x80000;
  private static final int MADV_HUGEPAGE = 14;
  private static final int MADV_POPULATE_WRITE = 23;

  private static final @Nullable LinuxMemory INSTANCE = create();

  private final MethodHandle mmap;
  private final MethodHandle munmap;
  private final MethodHandle madvise;
  private final MethodHandle memfdCreate;
  private final MethodHandle ftruncate;
  private final MethodHandle fcntl;
  private final MethodHandle open;
  private final MethodHandle close;

  @SuppressWarnings("restricted")
  private LinuxMemory(Linker linker) {
    ValueLayout.OfLong word = ValueLayout.JAVA_LONG;
    ValueLayout.OfInt number = ValueLayout.JAVA_INT;
    this.mmap =
        call(linker, "mmap", FunctionDescriptor.of(word, word, word, number, number, number, word));
    this.munmap = call(linker, "munmap", FunctionDescriptor.of(number, word, word));
    this.madvise = call(linker, "madvise", FunctionDescriptor.of(number, word, word, number));
    this.memfdCreate =
        call(linker, "memfd_create", FunctionDescriptor.of(number, ValueLayout.ADDRESS, number));
    this.ftruncate = call(linker, "ftruncate", FunctionDescriptor.of(number, number, word));
    this.fcntl =
        call(
            linker,
            "fcntl",
            FunctionDescriptor.of(number, number, number, number),
            Linker.Option.firstVariadicArg(2));
    this.open =
        call(
            linker,
            "open",
            FunctionDescriptor.of(number, ValueLayout.ADDRESS, number),
            Linker.Option.firstVariadicArg(2));
    this.close = call(linker, "close", FunctionDescriptor.of(number, number));
  }

  @SuppressWarnings("restricted")
  private static MethodHandle call(
      Linker linker, String name, FunctionDescriptor type, Linker.Option... options) {
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type, options);
  }

  /**
   * The calls of this machine, or null if it is no 64-bit Linux or native access is not granted.
   */
  static @Nullable LinuxMemory instance() {
    return INSTANCE;
  }

  private static @Nullable LinuxMemory create() {
    boolean isLinux = System.getProperty("os.name", "").toLowerCase(Locale.ROOT).equals("linux");
    boolean isWide = ValueLayout.ADDRESS.byteSize() == Long.BYTES;
    if (!isLinux || !isWide || !LinuxMemory.class.getModule().isNativeAccessEnabled()) {
      return null;
    }
    try {
      return new LinuxMemory(Linker.nativeLinker());
    } catch (NoSuchElementException e) {
      // A C library without one of the functions.
      return null;
    }
  }

  /**
   * Maps memory that is unmapped when the arena is closed.
   *
   * @param bytes the size
   * @param expected bytes that will be touched; from a huge page on, huge pages are asked for
   */
  @SuppressWarnings("restricted")
  MemorySegment map(long bytes, long expected, Arena arena) {
    boolean isHuge = expected >= NativeMemory.HUGE_PAGE;
    long alignment = isHuge ? NativeMemory.HUGE_PAGE : NativeMemory.PAGE;
    if (bytes > Long.MAX_VALUE - 2 * alignment) {
      throw NativeMemory.outOfMemory(bytes, null);
    }
    long mapped = roundUp(bytes, NativeMemory.PAGE) + (isHuge ? alignment : 0);
    int flags = MAP_PRIVATE_ANONYMOUS | (expected == bytes ? 0 : MAP_NORESERVE);
    long address = callMmap(mapped, flags, -1);
    if (address == -1) {
      throw NativeMemory.outOfMemory(bytes, null);
    }
    MemorySegment all =
        MemorySegment.ofAddress(address)
            .reinterpret(mapped, arena, unmapped -> callMunmap(unmapped.address(), mapped));
    MemorySegment aligned = all.asSlice(roundUp(address, alignment) - address, bytes);
    if (isHuge) {
      boolean ignored =
          callMadvise(aligned.address(), roundUp(bytes, NativeMemory.PAGE), MADV_HUGEPAGE);
    }
    return aligned;
  }

  /**
   * Makes memory that other processes can map, of a size that does not change: a file in memory,
   * without a name, which is gone when nobody has it any more.
   *
   * @param bytes the size, more than 0
   * @return its descriptor; null if the system has no such memory
   */
  @Nullable Integer createShared(long bytes) {
    try (Arena arena = Arena.ofConfined()) {
      int descriptor =
          (int) memfdCreate.invokeExact(arena.allocateFrom(NAME), MFD_CLOEXEC_ALLOW_SEALING);
      if (descriptor < 0) {
        return null;
      }
      if ((int) ftruncate.invokeExact(descriptor, roundUp(bytes, NativeMemory.PAGE)) != 0
          || (int) fcntl.invokeExact(descriptor, F_ADD_SEALS, F_SEAL_SEAL_SHRINK_GROW) < 0) {
        closeDescriptor(descriptor);
        return null;
      }
      return descriptor;
    } catch (Throwable t) {
      throw failed("memfd_create", t);
    }
  }

  /** Opens a file by its path for reading and writing; the descriptor, negative if that fails. */
  int openDescriptor(String path) {
    try (Arena arena = Arena.ofConfined()) {
      return (int) open.invokeExact(arena.allocateFrom(path), O_RDWR_CLOEXEC);
    } catch (Throwable t) {
      throw failed("open", t);
    }
  }

  void closeDescriptor(int descriptor) {
    try {
      int ignored = (int) close.invokeExact(descriptor);
    } catch (Throwable t) {
      throw failed("close", t);
    }
  }

  /**
   * Maps shared memory.
   *
   * @param bytes the size
   * @param arena unmaps it when it is closed, or when nobody can reach the segment any more
   */
  @SuppressWarnings("restricted")
  MemorySegment mapShared(int descriptor, long bytes, Arena arena) {
    long mapped = roundUp(Math.max(1, bytes), NativeMemory.PAGE);
    long address = callMmap(mapped, MAP_SHARED, descriptor);
    if (address == -1) {
      throw NativeMemory.outOfMemory(bytes, null);
    }
    if (bytes >= NativeMemory.HUGE_PAGE) {
      boolean ignored = callMadvise(address, mapped, MADV_HUGEPAGE);
    }
    return MemorySegment.ofAddress(address)
        .reinterpret(mapped, arena, unmapped -> callMunmap(unmapped.address(), mapped))
        .asSlice(0, bytes);
  }

  /**
   * Makes the pages of a part present without changing them; older kernels do it on first use.
   *
   * @return whether the kernel has done it
   */
  boolean populate(MemorySegment part) {
    long start = part.address() / NativeMemory.PAGE * NativeMemory.PAGE;
    long end = roundUp(part.address() + part.byteSize(), NativeMemory.PAGE);
    return callMadvise(start, end - start, MADV_POPULATE_WRITE);
  }

  private static long roundUp(long value, long unit) {
    return (value + unit - 1) / unit * unit;
  }

  private long callMmap(long bytes, int flags, int descriptor) {
    try {
      return (long) mmap.invokeExact(0L, bytes, PROT_READ_WRITE, flags, descriptor, 0L);
    } catch (Throwable t) {
      throw failed("mmap", t);
    }
  }

  private void callMunmap(long address, long bytes) {
    try {
      int ignored = (int) munmap.invokeExact(address, bytes);
    } catch (Throwable t) {
      throw failed("munmap", t);
    }
  }

  /** Advice that the kernel does not take is no error: it costs time, not correctness. */
  private boolean callMadvise(long address, long bytes, int advice) {
    try {
      return (int) madvise.invokeExact(address, bytes, advice) == 0;
    } catch (Throwable t) {
      throw failed("madvise", t);
    }
  }

  private static TuttiException failed(String call, Throwable t) {
    return new TuttiException(ErrorCode.OUT_OF_MEMORY, t, "%s could not be called: %s", call, t);
  }
}
