package dev.tutti.engine.memory;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Mappings of Linux: pages appear when they are touched, and large blocks request huge pages before
 * that. Used only if the JVM grants native access to this module; otherwise memory comes from the
 * JVM's own allocator.
 */
final class LinuxMemory {

  private static final int PROT_READ_WRITE = 1 | 2;
  private static final int MAP_SHARED = 0x01;
  private static final int MAP_PRIVATE_ANONYMOUS = 0x02 | 0x20;
  private static final int MAP_NORESERVE = 0x4000;
  private static final int MADV_HUGEPAGE = 14;
  private static final int MADV_POPULATE_WRITE = 23;

  private static final @Nullable LinuxMemory INSTANCE = create();

  private final MethodHandle mmap;
  private final MethodHandle munmap;
  private final MethodHandle madvise;

  private LinuxMemory(MethodHandle mmap, MethodHandle munmap, MethodHandle madvise) {
    this.mmap = mmap;
    this.munmap = munmap;
    this.madvise = madvise;
  }

  /**
   * The calls of this machine, or null if it is not 64-bit Linux or native access is not granted.
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
    return bind();
  }

  @SuppressWarnings("restricted")
  private static @Nullable LinuxMemory bind() {
    Linker linker = Linker.nativeLinker();
    SymbolLookup libc = linker.defaultLookup();
    MemorySegment mmap = libc.find("mmap").orElse(null);
    MemorySegment munmap = libc.find("munmap").orElse(null);
    MemorySegment madvise = libc.find("madvise").orElse(null);
    if (mmap == null || munmap == null || madvise == null) {
      return null;
    }
    ValueLayout.OfLong word = ValueLayout.JAVA_LONG;
    ValueLayout.OfInt number = ValueLayout.JAVA_INT;
    return new LinuxMemory(
        linker.downcallHandle(
            mmap, FunctionDescriptor.of(word, word, word, number, number, number, word)),
        linker.downcallHandle(munmap, FunctionDescriptor.of(number, word, word)),
        linker.downcallHandle(madvise, FunctionDescriptor.of(number, word, word, number)));
  }

  /**
   * Maps memory that is unmapped when the arena is closed.
   *
   * @param bytes the size
   * @param expected bytes that will be touched; with a huge page or more, huge pages are requested
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
      callMadvise(aligned.address(), roundUp(bytes, NativeMemory.PAGE), MADV_HUGEPAGE);
    }
    return aligned;
  }

  /**
   * Maps a file in memory, shared with all others that have mapped it.
   *
   * @param bytes the size of the file, more than 0
   * @param arena unmaps it when the arena is closed, or when the segment is no longer reachable
   */
  @SuppressWarnings("restricted")
  MemorySegment mapShared(int descriptor, long bytes, Arena arena) {
    long mapped = roundUp(bytes, NativeMemory.PAGE);
    long address = callMmap(mapped, MAP_SHARED, descriptor);
    if (address == -1) {
      throw NativeMemory.outOfMemory(bytes, null);
    }
    if (bytes >= NativeMemory.HUGE_PAGE) {
      callMadvise(address, mapped, MADV_HUGEPAGE);
    }
    return MemorySegment.ofAddress(address)
        .reinterpret(mapped, arena, unmapped -> callMunmap(unmapped.address(), mapped))
        .asSlice(0, bytes);
  }

  /** Makes the pages of a part present without changing them; older kernels do so at first use. */
  void populate(MemorySegment part) {
    long start = part.address() / NativeMemory.PAGE * NativeMemory.PAGE;
    long end = roundUp(part.address() + part.byteSize(), NativeMemory.PAGE);
    callMadvise(start, end - start, MADV_POPULATE_WRITE);
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

  /** Gives advice; it is not an error if the kernel ignores it, because that only costs time. */
  private void callMadvise(long address, long bytes, int advice) {
    try {
      int ignored = (int) madvise.invokeExact(address, bytes, advice);
    } catch (Throwable t) {
      throw failed("madvise", t);
    }
  }

  private static TuttiException failed(String call, Throwable t) {
    return new TuttiException(ErrorCode.OUT_OF_MEMORY, t, "%s could not be called: %s", call, t);
  }
}
