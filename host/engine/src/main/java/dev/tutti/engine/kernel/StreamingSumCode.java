package dev.tutti.engine.kernel;

import dev.tutti.sdk.DataType;
import java.io.ByteArrayOutputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes the machine code of a {@link StreamingSum}, for a number of sources and destinations.
 *
 * <p>The code has the System V calling convention, and {@link StreamingSum#MOST} pairs of arguments
 * of which it uses the first: a memory and an offset, sources before destinations. The last
 * argument is the number of bytes, a positive multiple of {@link StreamingSum#BLOCK}. Destinations
 * are aligned to 32 bytes. ADD is the addition of the type, here for two sources and one
 * destination:
 *
 * <pre>
 *     add      rdi, rsi               the first pair
 *     add      rdx, rcx               the second one
 *     add      r8, r9                 the third one
 *     mov      rax, [rsp + 88]        bytes
 *     add      rdi, rax               the end of each memory
 *     add      rdx, rax
 *     add      r8, rax
 *     neg      rax
 *   next:                             for each of ymm0 to ymm3:
 *     vmovdqu  ymm0, [rdi + rax]
 *     ADD      ymm0, ymm0, [rdx + rax]
 *     vmovntdq [r8 + rax], ymm0
 *     sub      rax, -128
 *     jnz      next
 *     sfence
 *     vzeroupper
 *     ret
 * </pre>
 *
 * From the fourth pair on, an address is loaded from the stack into a register that is free by
 * then: rsi, rcx, r9, r10, r11.
 */
final class StreamingSumCode {

  private static final int REGISTERS = 4;
  private static final int VECTOR_BYTES = StreamingSum.BLOCK / REGISTERS;

  private static final int RAX = 0;
  private static final int RCX = 1;
  private static final int RDX = 2;
  private static final int RSI = 6;
  private static final int RDI = 7;
  private static final int R8 = 8;
  private static final int R9 = 9;
  private static final int R10 = 10;
  private static final int R11 = 11;

  /** The register of the address of each pair. */
  private static final List<Integer> ADDRESSES = List.of(RDI, RDX, R8, RSI, RCX, R9, R10, R11);

  /** The register of the offset of each pair that is passed in registers. */
  private static final List<Integer> OFFSETS = List.of(RSI, RCX, R9);

  /** The place of the first argument on the stack, after the return address. */
  private static final int FIRST_ON_STACK = 8;

  private static final int LAST_ON_STACK =
      FIRST_ON_STACK + 2 * Long.BYTES * (StreamingSum.MOST - OFFSETS.size());

  private static final int VMOVDQU = 0x6f;
  private static final int VMOVNTDQ = 0xe7;

  /** The last byte of a prefix of 256 bits with a first operand that is not used. */
  private static final int PREFIX = 0x7c;

  private static final int PREFIX_66 = 1;
  private static final int PREFIX_F3 = 2;

  /** The addition of a type: its operation code, and the prefix that selects it. */
  private record Addition(int code, int prefix) {}

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  private StreamingSumCode() {}

  private static @Nullable Addition addition(DataType type) {
    return switch (type) {
      case FLOAT32 -> new Addition(0x58, 0);
      case FLOAT64 -> new Addition(0x58, PREFIX_66);
      case INT8, UINT8 -> new Addition(0xfc, PREFIX_66);
      case INT16, UINT16 -> new Addition(0xfd, PREFIX_66);
      case INT32, UINT32 -> new Addition(0xfe, PREFIX_66);
      case INT64, UINT64 -> new Addition(0xd4, PREFIX_66);
      case FLOAT16, BFLOAT16 -> null;
    };
  }

  /** The code; null if the type is not added in its stored format. */
  static byte @Nullable [] of(DataType type, int sources, int destinations) {
    Addition addition = addition(type);
    if (addition == null) {
      return null;
    }
    StreamingSumCode code = new StreamingSumCode();
    code.arguments(sources + destinations);
    int next = code.bytes.size();
    for (int register = 0; register < REGISTERS; register++) {
      code.block(addition, sources, destinations, register);
    }
    code.end(next);
    return code.bytes.toByteArray();
  }

  private void arguments(int pairs) {
    for (int pair = 0; pair < pairs; pair++) {
      int address = ADDRESSES.get(pair);
      if (pair < OFFSETS.size()) {
        add(address, OFFSETS.get(pair));
      } else {
        int place = FIRST_ON_STACK + 2 * Long.BYTES * (pair - OFFSETS.size());
        fromStack(0x8b, address, place);
        fromStack(0x03, address, place + Long.BYTES);
      }
    }
    fromStack(0x8b, RAX, LAST_ON_STACK);
    for (int pair = 0; pair < pairs; pair++) {
      add(ADDRESSES.get(pair), RAX);
    }
    emit(0x48, 0xf7, 0xd8);
  }

  /** Adds a register to another one. */
  private void add(int to, int from) {
    emit(0x48 | (from >> 3) << 2 | to >> 3, 0x01, 0xc0 | (from & 7) << 3 | (to & 7));
  }

  /** Loads from the stack (8b), or adds what is there (03). */
  private void fromStack(int operation, int to, int place) {
    emit(0x48 | (to >> 3) << 2, operation, 0x44 | (to & 7) << 3, 0x24, place);
  }

  /** The sum of one register. */
  private void block(Addition addition, int sources, int destinations, int register) {
    vector(VMOVDQU, PREFIX | PREFIX_F3, register, ADDRESSES.get(0));
    int first = PREFIX - 8 * register | addition.prefix;
    for (int source = 1; source < sources; source++) {
      vector(addition.code, first, register, ADDRESSES.get(source));
    }
    for (int i = 0; i < destinations; i++) {
      vector(VMOVNTDQ, PREFIX | PREFIX_66, register, ADDRESSES.get(sources + i));
    }
  }

  /** An operation of a vector register and the memory at an address and the count in rax. */
  private void vector(int operation, int prefix, int register, int address) {
    emit(0xc4, address < R8 ? 0xe1 : 0xc1, prefix, operation);
    emit(0x44 | register << 3, RAX << 3 | (address & 7), VECTOR_BYTES * register);
  }

  private void end(int next) {
    emit(0x48, 0x83, 0xe8, -StreamingSum.BLOCK, 0x0f, 0x85);
    int jump = next - (bytes.size() + Integer.BYTES);
    emit(jump, jump >> 8, jump >> 16, jump >> 24);
    emit(0x0f, 0xae, 0xf8, 0xc5, 0xf8, 0x77, 0xc3);
  }

  private void emit(int... code) {
    for (int each : code) {
      bytes.write(each);
    }
  }
}
