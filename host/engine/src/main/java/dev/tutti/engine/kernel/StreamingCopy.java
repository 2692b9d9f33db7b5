package dev.tutti.engine.kernel;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.HexFormat;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Copies with stores that bypass the caches. If the data is larger than the caches, lines need not
 * be read before they are overwritten, which saves a third of the traffic of a copy, and the caches
 * keep other data. For smaller data, it is slower than an ordinary copy.
 *
 * <p>Available on Linux on x86-64 with AVX2, elsewhere an ordinary copy. Thread-safe.
 */
public final class StreamingCopy {

  /*
   * Java has no non-temporal stores, so this class has its own 68 bytes of machine code, position
   * independent and without calls or stack use. System V calling convention: rdi and rsi hold the
   * destination and an offset, rdx and rcx the source and an offset, r8 the bytes, a positive
   * multiple of 128; the destination is aligned to 32 bytes.
   *
   *     add      rdi, rsi                  4801f7
   *     add      rdx, rcx                  4801ca
   *   next:
   *     vmovdqu  ymm0, [rdx]               c5fe6f02
   *     vmovdqu  ymm1, [rdx + 32]          c5fe6f4a20
   *     vmovdqu  ymm2, [rdx + 64]          c5fe6f5240
   *     vmovdqu  ymm3, [rdx + 96]          c5fe6f5a60
   *     vmovntdq [rdi], ymm0               c5fde707
   *     vmovntdq [rdi + 32], ymm1          c5fde74f20
   *     vmovntdq [rdi + 64], ymm2          c5fde75740
   *     vmovntdq [rdi + 96], ymm3          c5fde75f60
   *     sub      rdx, -128                 4883ea80
   *     sub      rdi, -128                 4883ef80
   *     sub      r8, 128                   4981e880000000
   *     jnz      next                      75c9
   *     sfence                             0faef8
   *     vzeroupper                         c5f877
   *     ret                                c3
   *
   * The fence orders the streaming stores before everything that follows, so a release store that
   * publishes the copy is enough for its readers, as after an ordinary copy.
   */
  private static final String CODE =
      "4801f74801ca"
          + "c5fe6f02c5fe6f4a20c5fe6f5240c5fe6f5a60"
          + "c5fde707c5fde74f20c5fde75740c5fde75f60"
          + "4883ea804883ef804981e88000000075c90faef8c5f877c3";

  private static final int BLOCK = 128;
  private static final int ALIGNMENT = 32;

  private static final @Nullable MethodHandle NATIVE = link();

  private StreamingCopy() {}

  /** Whether copies bypass the caches on this machine. */
  public static boolean isAvailable() {
    return NATIVE != null;
  }

  /**
   * Copies bytes between two segments that do not overlap; bypasses the caches if both are native.
   *
   * @throws IndexOutOfBoundsException if a range is not inside its segment
   * @throws IllegalStateException if a segment's arena is closed
   */
  public static void copy(
      MemorySegment dst, long dstOffset, MemorySegment src, long srcOffset, long bytes) {
    long misaligned = -(dst.address() + dstOffset) & (ALIGNMENT - 1);
    long body = (bytes - misaligned) & -BLOCK;
    boolean isNative = dst.isNative() && src.isNative();
    if (NATIVE == null || !isNative || body <= 0 || dst.isReadOnly()) {
      Kernels.copy(dst, dstOffset, src, srcOffset, bytes);
      return;
    }
    Objects.checkFromIndexSize(dstOffset, bytes, dst.byteSize());
    Objects.checkFromIndexSize(srcOffset, bytes, src.byteSize());
    if (misaligned > 0) {
      Kernels.copy(dst, dstOffset, src, srcOffset, misaligned);
    }
    try {
      NATIVE.invokeExact(dst, dstOffset + misaligned, src, srcOffset + misaligned, body);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError("native code throws nothing", e);
    }
    long done = misaligned + body;
    if (done < bytes) {
      Kernels.copy(dst, dstOffset + done, src, srcOffset + done, bytes - done);
    }
  }

  private static @Nullable MethodHandle link() {
    return MachineCode.install(
            HexFormat.of().parseHex(CODE),
            FunctionDescriptor.ofVoid(
                ValueLayout.ADDRESS,
                ValueLayout.JAVA_LONG,
                ValueLayout.ADDRESS,
                ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_LONG))
        .orElse(null);
  }
}
