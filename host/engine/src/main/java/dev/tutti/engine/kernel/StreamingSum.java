package dev.tutti.engine.kernel;

import dev.tutti.sdk.DataType;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Adds up to four sources and writes the sums, bypassing the caches, to up to four destinations;
 * nothing is read or written twice. The sums have the same bits as those of the type's {@link
 * ReduceKernel}. Available on Linux on x86-64 with AVX2, for all types that are added in their
 * stored format. Thread-safe.
 */
public final class StreamingSum {

  /** Bytes that are added at a time. */
  public static final int BLOCK = 128;

  /** The largest number of sources, and of destinations. With more sources, tiles are faster. */
  static final int MOST_OF_EACH = 4;

  /** The largest number of sources and destinations together. */
  public static final int MOST = 2 * MOST_OF_EACH;

  private static final int ALIGNMENT = 32;

  private static final FunctionDescriptor DESCRIPTOR = descriptor();

  /** By type and numbers of memories; an empty one cannot be made here. */
  private static final AtomicReferenceArray<Optional<StreamingSum>> SUMS =
      new AtomicReferenceArray<>(DataType.values().length * MOST * MOST);

  private final int elementSize;

  /** The number of sources and destinations. */
  private final int used;

  private final MethodHandle code;

  private StreamingSum(int elementSize, int used, MethodHandle code) {
    this.elementSize = elementSize;
    this.used = used;
    this.code = code;
  }

  private static FunctionDescriptor descriptor() {
    FunctionDescriptor all = FunctionDescriptor.ofVoid();
    for (int pair = 0; pair < MOST; pair++) {
      all = all.appendArgumentLayouts(ValueLayout.ADDRESS, ValueLayout.JAVA_LONG);
    }
    return all.appendArgumentLayouts(ValueLayout.JAVA_LONG);
  }

  /**
   * The sum of a type.
   *
   * @param sources at least 2
   * @param destinations at least 1
   * @return null if there is none, or none for so many
   */
  static @Nullable StreamingSum of(DataType type, int sources, int destinations) {
    if (sources > MOST_OF_EACH || destinations > MOST_OF_EACH) {
      return null;
    }
    int at = (type.ordinal() * MOST + sources) * MOST + destinations;
    Optional<StreamingSum> made = SUMS.get(at);
    return (made == null ? make(at, type, sources, destinations) : made).orElse(null);
  }

  private static synchronized Optional<StreamingSum> make(
      int at, DataType type, int sources, int destinations) {
    Optional<StreamingSum> made = SUMS.get(at);
    if (made == null) {
      byte[] code = StreamingSumCode.of(type, sources, destinations);
      made =
          code == null
              ? Optional.empty()
              : MachineCode.install(code, DESCRIPTOR)
                  .map(page -> new StreamingSum(type.size(), sources + destinations, page));
      SUMS.set(at, made);
    }
    return made;
  }

  /**
   * The bytes from an offset to the first place where the sums can bypass the caches.
   *
   * @return -1 if there is no such place between two elements
   */
  public int head(MemorySegment dst, long offset) {
    int bytes = (int) (-(dst.address() + offset) & (ALIGNMENT - 1));
    return bytes % elementSize == 0 && dst.isNative() && !dst.isReadOnly() ? bytes : -1;
  }

  /**
   * Writes the sums of the sources, from left to right, to each destination. A destination may be a
   * source, too, but not overlap one partly.
   *
   * @param memories the sources and then the destinations; there is room for {@link #MOST}, and the
   *     rest is {@link MemorySegment#NULL}
   * @param offsets the offset in each of them
   * @param bytes a positive multiple of {@link #BLOCK}; no destination has a {@link #head}
   * @throws IndexOutOfBoundsException if a range is not inside its segment
   * @throws IllegalStateException if a segment's arena is closed
   */
  public void sum(MemorySegment[] memories, long[] offsets, long bytes) {
    for (int i = 0; i < used; i++) {
      Objects.checkFromIndexSize(offsets[i], bytes, memories[i].byteSize());
    }
    try {
      code.invokeExact(
          memories[0],
          offsets[0],
          memories[1],
          offsets[1],
          memories[2],
          offsets[2],
          memories[3],
          offsets[3],
          memories[4],
          offsets[4],
          memories[5],
          offsets[5],
          memories[6],
          offsets[6],
          memories[7],
          offsets[7],
          bytes);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError("native code throws nothing", e);
    }
  }
}
