package dev.tutti.engine.kernel;

import dev.tutti.sdk.DataType;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Adds two sources and writes the sums, bypassing the caches, to one destination or to two at once;
 * nothing is read or written twice. The sums have the same bits as those of the type's {@link
 * ReduceKernel}. Available on Linux on x86-64 with AVX2, for all types that are added in their
 * stored format. Thread-safe.
 */
public final class StreamingSum {

  /*
   * System V calling convention. To two places: rdi and rsi hold the first destination and an
   * offset, rdx and rcx the second, r8 and r9 a source and an offset, the stack the other source,
   * its offset, and the bytes; to one place, the second destination is left out. The bytes are a
   * positive multiple of 128; the destinations are aligned to 32 bytes. The middle lines are
   * repeated four times, for 32 bytes each; ADD is the addition of the type.
   *
   *     add      rdi, rsi                  4801f7
   *     add      rdx, rcx                  4801ca
   *     add      r8, r9                    4d01c8
   *     mov      r9, [rsp + 8]             4c8b4c2408
   *     add      r9, [rsp + 16]            4c034c2410
   *     mov      rax, [rsp + 24]           488b442418
   *   next:
   *     vmovdqu  ymm0, [r8]                c4c17e6f00
   *     ADD      ymm0, ymm0, [r9]          c4c1 7c 58 01
   *     vmovntdq [rdi], ymm0               c5fde707
   *     vmovntdq [rdx], ymm0               c5fde702
   *     sub      r8, -128                  4983e880
   *     sub      r9, -128                  4983e980
   *     sub      rdi, -128                 4883ef80
   *     sub      rdx, -128                 4883ea80
   *     sub      rax, 128                  482d80000000
   *     jnz      next                      7594
   *     sfence                             0faef8
   *     vzeroupper                         c5f877
   *     ret                                c3
   */

  private static final String TO_TWO =
      "4801f74801ca4d01c84c8b4c24084c034c2410488b442418"
          + "c4c17e6f00c4c17e6f4820c4c17e6f5040c4c17e6f5860"
          + "c4c1ADD001c4c1ADD14920c4c1ADD25140c4c1ADD35960"
          + "c5fde707c5fde74f20c5fde75740c5fde75f60"
          + "c5fde702c5fde74a20c5fde75240c5fde75a60"
          + "4983e8804983e9804883ef804883ea80482d8000000075940faef8c5f877c3";

  private static final String TO_ONE =
      "4801f74801ca4d01c8488b442408"
          + "c5fe6f02c5fe6f4a20c5fe6f5240c5fe6f5a60"
          + "c4c1ADD000c4c1ADD14820c4c1ADD25040c4c1ADD35860"
          + "c5fde707c5fde74f20c5fde75740c5fde75f60"
          + "4883ea804983e8804883ef80482d8000000075af0faef8c5f877c3";

  private static final FunctionDescriptor OF_ONE =
      FunctionDescriptor.ofVoid(
          ValueLayout.ADDRESS,
          ValueLayout.JAVA_LONG,
          ValueLayout.ADDRESS,
          ValueLayout.JAVA_LONG,
          ValueLayout.ADDRESS,
          ValueLayout.JAVA_LONG,
          ValueLayout.JAVA_LONG);

  private static final FunctionDescriptor OF_TWO =
      OF_ONE.insertArgumentLayouts(0, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG);

  /** Bytes that are added at a time. */
  public static final int BLOCK = 128;

  private static final int ALIGNMENT = 32;

  private static final Map<DataType, Optional<StreamingSum>> SUMS = new ConcurrentHashMap<>();

  private final int elementSize;
  private final MethodHandle toOne;
  private final MethodHandle toTwo;

  private StreamingSum(int elementSize, MethodHandle toOne, MethodHandle toTwo) {
    this.elementSize = elementSize;
    this.toOne = toOne;
    this.toTwo = toTwo;
  }

  /** The sum of a type; null if there is none. */
  static @Nullable StreamingSum of(DataType type) {
    return SUMS.computeIfAbsent(type, StreamingSum::made).orElse(null);
  }

  private static Optional<StreamingSum> made(DataType type) {
    // The prefix and the operation code of a type's addition.
    return switch (type) {
      case FLOAT32 -> made(type, 0, "58");
      case FLOAT64 -> made(type, 1, "58");
      case INT8, UINT8 -> made(type, 1, "fc");
      case INT16, UINT16 -> made(type, 1, "fd");
      case INT32, UINT32 -> made(type, 1, "fe");
      case INT64, UINT64 -> made(type, 1, "d4");
      case FLOAT16, BFLOAT16 -> Optional.empty();
    };
  }

  private static Optional<StreamingSum> made(DataType type, int prefix, String operation) {
    HexFormat hex = HexFormat.of();
    String toOneCode = TO_ONE;
    String toTwoCode = TO_TWO;
    for (int register = 0; register < 4; register++) {
      String addition = hex.toHexDigits((byte) (0x7c - 8 * register + prefix)) + operation;
      toOneCode = toOneCode.replace("ADD" + register, addition);
      toTwoCode = toTwoCode.replace("ADD" + register, addition);
    }
    Optional<MethodHandle> one = MachineCode.install(hex.parseHex(toOneCode), OF_ONE);
    Optional<MethodHandle> two = MachineCode.install(hex.parseHex(toTwoCode), OF_TWO);
    return one.flatMap(toOne -> two.map(toTwo -> new StreamingSum(type.size(), toOne, toTwo)));
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
   * {@code dst[i] = a[i] + b[i]}. The destination may be a source, too, but not overlap one partly.
   *
   * @param bytes a positive multiple of {@link #BLOCK}; the destination has no {@link #head}
   * @throws IndexOutOfBoundsException if a range is not inside its segment
   * @throws IllegalStateException if a segment's arena is closed
   */
  public void sum(
      MemorySegment dst,
      long dstOffset,
      MemorySegment a,
      long aOffset,
      MemorySegment b,
      long bOffset,
      long bytes) {
    check(dst, dstOffset, bytes);
    check(a, aOffset, bytes);
    check(b, bOffset, bytes);
    try {
      toOne.invokeExact(dst, dstOffset, a, aOffset, b, bOffset, bytes);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError("native code throws nothing", e);
    }
  }

  /** The same with a second destination. */
  public void sum(
      MemorySegment dst,
      long dstOffset,
      MemorySegment second,
      long secondOffset,
      MemorySegment a,
      long aOffset,
      MemorySegment b,
      long bOffset,
      long bytes) {
    check(dst, dstOffset, bytes);
    check(second, secondOffset, bytes);
    check(a, aOffset, bytes);
    check(b, bOffset, bytes);
    try {
      toTwo.invokeExact(dst, dstOffset, second, secondOffset, a, aOffset, b, bOffset, bytes);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError("native code throws nothing", e);
    }
  }

  private static void check(MemorySegment segment, long offset, long bytes) {
    Objects.checkFromIndexSize(offset, bytes, segment.byteSize());
  }
}
