package dev.tutti.plan;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The actions of a plan, without their operands. Immutable. Equal lists of actions have equal
 * representations.
 *
 * <p>Without operands, a plan has few different actions: "await FIN of the first link on the main
 * stream" occurs again and again. Each different action has a code, and the plan is a list of
 * codes, in bytes if they fit. The operands are numbered in the order of the data actions. So the
 * operand number of an action is the count of data actions before it. One bit per action and the
 * count at every 64th action give that number.
 */
final class Actions {

  /** The difference between the heads of an action on one stream and on the next. */
  static final int STREAM_UNIT = 1 << 4;

  /** The most codes that enter the hash; equality compares all codes. */
  private static final int HASHED_CODES = 64;

  private final int count;
  private final int hash;

  // Two of the three are null. One class and two branches are faster to read than three classes.
  private final byte @Nullable [] bytes;
  private final char @Nullable [] chars;
  private final int @Nullable [] ints;

  /** By code: kind in bits 0-3, stream in 4-15, data type in 16-23, reduction in 24-31. */
  private final int[] heads;

  /** By code: what {@link #argument} returns. */
  private final int[] arguments;

  /** By code: its first action. */
  private final int[] firsts;

  private final long[] dataBits;
  private final int[] dataBefore;

  /**
   * Actions of the first {@code count} codes.
   *
   * @param meanings by code, the head in the upper 32 bits and the argument in the lower ones
   */
  Actions(int[] codes, int count, FirstUse meanings) {
    this.count = count;
    this.hash = hash(codes, count, meanings);
    int codeCount = meanings.count();
    this.heads = new int[codeCount];
    this.arguments = new int[codeCount];
    for (int code = 0; code < codeCount; code++) {
      heads[code] = (int) (meanings.key(code) >>> 32);
      arguments[code] = (int) meanings.key(code);
    }
    this.bytes = codeCount <= 1 << Byte.SIZE ? new byte[count] : null;
    this.chars = bytes == null && codeCount <= 1 << Character.SIZE ? new char[count] : null;
    this.ints = bytes == null && chars == null ? Arrays.copyOf(codes, count) : null;
    this.firsts = new int[codeCount];
    this.dataBits = new long[(count >>> 6) + 1];
    this.dataBefore = new int[dataBits.length];
    fill(codes);
  }

  private void fill(int[] codes) {
    boolean[] isData = new boolean[heads.length];
    for (int code = 0; code < heads.length; code++) {
      isData[code] = kind(heads[code]).isData();
    }
    Arrays.fill(firsts, count);
    int data = 0;
    for (int action = 0; action < count; action++) {
      int code = codes[action];
      firsts[code] = Math.min(firsts[code], action);
      if (bytes != null) {
        bytes[action] = (byte) code;
      } else if (chars != null) {
        chars[action] = (char) code;
      }
      if ((action & 63) == 0) {
        dataBefore[action >>> 6] = data;
      }
      if (isData[code]) {
        dataBits[action >>> 6] |= 1L << action;
        data++;
      }
    }
  }

  int count() {
    return count;
  }

  /** The number of codes. */
  int codeCount() {
    return heads.length;
  }

  /** The first action of a code. */
  int first(int code) {
    return firsts[code];
  }

  /** The code of an action without its operands, from 0. */
  int code(int action) {
    if (bytes != null) {
      return bytes[action] & 0xff;
    }
    if (chars != null) {
      return chars[action];
    }
    return Objects.requireNonNull(ints)[action];
  }

  /** The kind, stream, data type and reduction of an action, in one int. */
  int head(int action) {
    return heads[code(action)];
  }

  static int head(ActionKind kind, int stream, int dataType, int reduceOp) {
    return kind.ordinal() | stream << 4 | dataType << 16 | reduceOp << 24;
  }

  static ActionKind kind(int head) {
    return ActionKind.at(head & 0xf);
  }

  static int stream(int head) {
    return head >>> 4 & 0xfff;
  }

  static int dataType(int head) {
    return head >>> 16 & 0xff;
  }

  static int reduceOp(int head) {
    return head >>> 24;
  }

  /**
   * For a sync on a link: the index of the link among those that the plan uses, above {@link
   * LinkTable#NOTIFY_BITS} bits of notify. For a sync between streams: -1 - notify. For a nested
   * plan: its index.
   */
  int argument(int action) {
    return arguments[code(action)];
  }

  /** The operand number of a data action. */
  int operand(int action) {
    int block = action >>> 6;
    return dataBefore[block] + Long.bitCount(dataBits[block] & (1L << action) - 1);
  }

  /** The first data action at or after an action; the number of actions if there is none. */
  int nextData(int action) {
    int block = action >>> 6;
    long bits = block < dataBits.length ? dataBits[block] & -1L << action : 0;
    while (bits == 0 && ++block < dataBits.length) {
      bits = dataBits[block];
    }
    return bits == 0 ? count : (block << 6) + Long.numberOfTrailingZeros(bits);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof Actions that
            && Arrays.equals(heads, that.heads)
            && Arrays.equals(arguments, that.arguments)
            && Arrays.equals(bytes, that.bytes)
            && Arrays.equals(chars, that.chars)
            && Arrays.equals(ints, that.ints));
  }

  /** Whether these are the actions of the first {@code size} codes. */
  boolean isMadeOf(int[] codes, int size, FirstUse meanings) {
    if (count != size || heads.length != meanings.count()) {
      return false;
    }
    for (int code = 0; code < heads.length; code++) {
      if (meaning(code) != meanings.key(code)) {
        return false;
      }
    }
    for (int action = 0; action < count; action++) {
      if (code(action) != codes[action]) {
        return false;
      }
    }
    return true;
  }

  private long meaning(int code) {
    return (long) heads[code] << 32 | (arguments[code] & 0xffff_ffffL);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  /** The hash of the actions of the first {@code count} codes. */
  static int hash(int[] codes, int count, FirstUse meanings) {
    int hash = count;
    for (int code = 0; code < meanings.count(); code++) {
      hash = 31 * hash + Long.hashCode(meanings.key(code));
    }
    int step = count / HASHED_CODES + 1;
    for (int action = 0; action < count; action += step) {
      hash = 31 * hash + codes[action];
    }
    return hash;
  }
}
