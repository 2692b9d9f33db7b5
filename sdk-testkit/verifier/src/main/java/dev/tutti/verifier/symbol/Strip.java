package dev.tutti.verifier.symbol;

import java.util.Arrays;

/** The values of consecutive bytes, in as few runs as possible. Not thread-safe. */
final class Strip {

  int size;

  /** The end of each run, in bytes from the start of the strip. */
  long[] ends = new long[4];

  long[] sums = new long[4];
  long[] trees = new long[4];
  long[] metas = new long[4];

  void clear() {
    size = 0;
  }

  /** The length in bytes. */
  long length() {
    return size == 0 ? 0 : ends[size - 1];
  }

  /** The start of a run, in bytes from the start of the strip. */
  long start(int run) {
    return run == 0 ? 0 : ends[run - 1];
  }

  /** Appends a run of {@code bytes}. If it continues the last run, the two become one. */
  void add(long bytes, long sum, long tree, long meta) {
    if (bytes <= 0) {
      return;
    }
    int last = size - 1;
    if (last >= 0
        && sums[last] == sum
        && trees[last] == tree
        && Value.advance(metas[last], ends[last] - start(last)) == meta) {
      ends[last] += bytes;
      return;
    }
    if (size == ends.length) {
      ends = Arrays.copyOf(ends, size * 2);
      sums = Arrays.copyOf(sums, size * 2);
      trees = Arrays.copyOf(trees, size * 2);
      metas = Arrays.copyOf(metas, size * 2);
    }
    ends[size] = length() + bytes;
    sums[size] = sum;
    trees[size] = tree;
    metas[size++] = meta;
  }

  /** Appends broken bytes. */
  void addBroken(long bytes, long flags) {
    add(bytes, flags, 0, Value.BROKEN);
  }

  /** The flags of a run that is not sound. */
  private long flags(int run) {
    return switch (Value.state(metas[run])) {
      case Value.SOUND -> 0;
      case Value.BROKEN -> sums[run];
      default -> Value.UNDEFINED;
    };
  }

  /** Appends another strip; its undefined bytes become broken. */
  void addDefined(Strip from) {
    for (int run = 0; run < from.size; run++) {
      long bytes = from.ends[run] - from.start(run);
      if (Value.state(from.metas[run]) == Value.INITIAL) {
        addBroken(bytes, Value.UNDEFINED);
      } else {
        add(bytes, from.sums[run], from.trees[run], from.metas[run]);
      }
    }
  }

  /**
   * Appends another strip as an operand of a reduction. A reduction reads it element by element
   * from its start; an element that is not one whole input element is torn.
   *
   * @param element the size of an element, a power of two
   */
  void addElements(Strip from, int element) {
    long mask = element - 1L;
    int run = 0;
    long at = 0;
    while (run < from.size) {
      long whole = from.ends[run] & ~mask;
      if (at < whole) {
        long meta = Value.advance(from.metas[run], at - from.start(run));
        if (!Value.isSound(meta)) {
          addBroken(whole - at, from.flags(run));
        } else if ((Value.place(meta) & mask) != 0) {
          addBroken(whole - at, Value.TORN);
        } else {
          add(whole - at, from.sums[run], from.trees[run], meta);
        }
        at = whole;
      }
      if (from.ends[run] == at) {
        run++;
        continue;
      }
      long flags = 0;
      while (run < from.size && from.start(run) < at + element) {
        flags |= from.flags(run);
        if (from.ends[run] > at + element) {
          break;
        }
        run++;
      }
      // A partly undefined value counts as undefined.
      long bytes = Math.min(element, from.length() - at);
      addBroken(bytes, (flags & Value.UNDEFINED) != 0 ? flags : flags | Value.TORN);
      at += bytes;
    }
  }

  /**
   * Appends the reduction of two strips of equal length.
   *
   * @param withTrees whether the association matters
   */
  void addJoined(Strip left, Strip right, boolean withTrees) {
    int i = 0;
    int j = 0;
    long at = 0;
    while (i < left.size) {
      long end = Math.min(left.ends[i], right.ends[j]);
      long meta = Value.advance(left.metas[i], at - left.start(i));
      long other = Value.advance(right.metas[j], at - right.start(j));
      if (!Value.isSound(meta) || !Value.isSound(other)) {
        addBroken(end - at, left.flags(i) | right.flags(j));
      } else if (!Value.areAligned(meta, other)) {
        addBroken(end - at, Value.SHIFTED);
      } else {
        add(
            end - at,
            left.sums[i] + right.sums[j],
            withTrees ? Value.joinTrees(left.trees[i], right.trees[j]) : 0,
            Value.join(meta, other));
      }
      at = end;
      i += left.ends[i] == end ? 1 : 0;
      j += right.ends[j] == end ? 1 : 0;
    }
  }

  /** Appends another strip, rounded. */
  void addRounded(Strip from) {
    for (int run = 0; run < from.size; run++) {
      long tree = from.trees[run];
      long meta = from.metas[run];
      add(
          from.ends[run] - from.start(run),
          from.sums[run],
          Value.isSound(meta) ? Value.rounded(tree) : tree,
          meta);
    }
  }

  /** Appends another strip as broken, with one more flag. */
  void addBroken(Strip from, long flag) {
    for (int run = 0; run < from.size; run++) {
      addBroken(from.ends[run] - from.start(run), from.flags(run) | flag);
    }
  }
}
