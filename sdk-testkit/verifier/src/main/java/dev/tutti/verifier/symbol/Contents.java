package dev.tutti.verifier.symbol;

import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.simulator.flow.Segments;
import java.util.Arrays;

/** The symbolic contents of all memories of a plan at one moment. Not thread-safe. */
final class Contents {

  /*
   * The memories that the plan writes are cut into segments. Every segment has a record of three
   * longs: a Value. An access covers whole segments, so most accesses need one record only. If a
   * segment holds bytes of several values, its record is MIXED and names a list of these values;
   * the list is freed when the segment is written again. A record of zeros is INITIAL, so new
   * arrays need no filling. The records are stored in chunks, because one array could not hold all
   * of them.
   */
  private static final int CHUNK_BITS = 16;
  private static final int CHUNK_MASK = (1 << CHUNK_BITS) - 1;
  private static final int WIDTH = 3;
  private static final int LIST_WIDTH = 4;

  private static final int INPUT = TransportMemType.PARAM_INPUT.ordinal();

  private final Segments segments;
  private final long[][] chunks;

  /** For each rank, its random number. */
  private final long[] ranks;

  private final long[] inputBytes;

  private final boolean[] isCut;
  private long[][] lists = new long[4][];
  private int listCount;
  private int[] freeLists = new int[4];
  private int freeCount;

  /** The result of {@link #fetch}. */
  long sum;

  long tree;
  long meta;

  Contents(FlatPlan plan, Segments segments) {
    this.segments = segments;
    int count = segments.count();
    this.chunks = new long[(count + CHUNK_MASK) >>> CHUNK_BITS][];
    for (int chunk = 0; chunk < chunks.length; chunk++) {
      int size = Math.min(CHUNK_MASK + 1, count - (chunk << CHUNK_BITS));
      chunks[chunk] = new long[size * WIDTH];
    }
    int rankSize = plan.plan().rankSize();
    this.ranks = new long[rankSize];
    this.inputBytes = new long[rankSize];
    for (int rank = 0; rank < rankSize; rank++) {
      ranks[rank] = Value.ofRank(rank);
      inputBytes[rank] = plan.plan().rank(rank).memSize(TransportMemType.PARAM_INPUT);
    }
    this.isCut = new boolean[plan.memoryCount()];
    for (int memory = 0; memory < isCut.length; memory++) {
      isCut[memory] = segments.has(memory);
    }
    fillInputs();
  }

  /** Fills the inputs that the plan writes with their initial values. */
  private void fillInputs() {
    for (int rank = 0; rank < ranks.length; rank++) {
      int memory = rank * FlatPlan.MEM_KINDS + INPUT;
      int end = isCut[memory] ? segments.first(memory + 1) : 0;
      for (int segment = isCut[memory] ? segments.first(memory) : 0; segment < end; segment++) {
        if (segments.end(segment) <= inputBytes[rank]) {
          put(segment, ranks[rank], ranks[rank], Value.sound(segments.start(segment), 1));
        }
      }
    }
  }

  /** The one segment that an access of the plan covers, or -1 if it covers several. */
  int single(int memory, long from, long bytes) {
    int segment = segments.at(memory, from);
    return segments.at(memory, from + bytes) == segment + 1 ? segment : -1;
  }

  /** Fetches the value of an access; false if it is not one sound value. */
  boolean fetch(int memory, long from, long bytes) {
    if (!isCut[memory]) {
      return fetchInput(memory, from, bytes);
    }
    int segment = single(memory, from, bytes);
    return segment >= 0 && fetch(segment);
  }

  /** Fetches the value of a segment; false if it is not one sound value. */
  boolean fetch(int segment) {
    long[] chunk = chunks[segment >>> CHUNK_BITS];
    int at = (segment & CHUNK_MASK) * WIDTH;
    sum = chunk[at];
    tree = chunk[at + 1];
    meta = chunk[at + 2];
    return Value.isSound(meta);
  }

  private boolean fetchInput(int memory, long from, long bytes) {
    int rank = FlatPlan.memoryRank(memory);
    if (memory % FlatPlan.MEM_KINDS != INPUT || from + bytes > inputBytes[rank]) {
      return false;
    }
    sum = ranks[rank];
    tree = sum;
    meta = Value.sound(from, 1);
    return true;
  }

  /** Writes one value into a segment. */
  void put(int segment, long newSum, long newTree, long newMeta) {
    long[] chunk = chunks[segment >>> CHUNK_BITS];
    int at = (segment & CHUNK_MASK) * WIDTH;
    if (Value.state(chunk[at + 2]) == Value.MIXED) {
      free((int) chunk[at]);
    }
    chunk[at] = newSum;
    chunk[at + 1] = newTree;
    chunk[at + 2] = newMeta;
  }

  /** Appends the values that an access of the plan reads. */
  void load(int memory, long from, long bytes, Strip into) {
    if (!isCut[memory]) {
      addInitial(memory, from, bytes, into);
      return;
    }
    int segment = segments.at(memory, from);
    int end = segments.at(memory, from + bytes);
    long at = from;
    for (; segment < end; segment++) {
      long next = segment + 1 == end ? from + bytes : segments.end(segment);
      addSegment(segment, memory, at, next - at, into);
      at = next;
    }
  }

  /** Stores the values that an access of the plan writes. */
  void store(int memory, long from, Strip values) {
    int segment = segments.at(memory, from);
    int end = segments.at(memory, from + values.length());
    int run = 0;
    long at = 0;
    for (; segment < end; segment++) {
      long next = segment + 1 == end ? values.length() : segments.end(segment) - from;
      if (next <= values.ends[run]) {
        long runMeta = Value.advance(values.metas[run], at - values.start(run));
        put(segment, values.sums[run], values.trees[run], runMeta);
      } else {
        put(segment, keep(values, run, at, next), 0, Value.MIXED);
      }
      while (run < values.size && values.ends[run] <= next) {
        run++;
      }
      at = next;
    }
  }

  /**
   * Appends the values of any range of bytes.
   *
   * @param hint the segment that the range probably starts with
   * @return the segment of the first byte after the range, as a hint for the next call
   */
  int read(int memory, long from, long to, int hint, Strip into) {
    if (!isCut[memory]) {
      addInitial(memory, from, to - from, into);
      return hint;
    }
    int segment = locate(memory, from, hint);
    int end = segments.first(memory + 1);
    long at = from;
    long start = segment < end ? segments.start(segment) : to;
    while (at < to && segment < end) {
      if (at < start) {
        long gap = Math.min(start, to) - at;
        addInitial(memory, at, gap, into);
        at += gap;
        continue;
      }
      long segmentEnd = segments.end(segment);
      long next = Math.min(to, segmentEnd);
      if (start == at && next == segmentEnd) {
        addSegment(segment, memory, at, next - at, into);
      } else {
        addPart(segment, memory, at - start, next - start, into);
      }
      at = next;
      if (next == segmentEnd) {
        segment++;
        start = segmentEnd;
      }
    }
    addInitial(memory, at, to - at, into);
    return segment;
  }

  /** The first segment of a memory that ends after an offset. */
  private int locate(int memory, long offset, int hint) {
    int low = segments.first(memory);
    int high = segments.first(memory + 1);
    if (hint >= low && hint < high && segments.start(hint) == offset) {
      return hint;
    }
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (segments.end(middle) <= offset) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The segment that holds a byte, or -1 if none does. */
  int segmentAt(int memory, long offset) {
    if (!isCut[memory]) {
      return -1;
    }
    int segment = locate(memory, offset, -1);
    boolean isInside = segment < segments.first(memory + 1) && segments.start(segment) <= offset;
    return isInside ? segment : -1;
  }

  private void addInitial(int memory, long from, long bytes, Strip into) {
    long defined = 0;
    if (memory % FlatPlan.MEM_KINDS == INPUT) {
      int rank = FlatPlan.memoryRank(memory);
      defined = Math.clamp(inputBytes[rank] - from, 0, bytes);
      into.add(defined, ranks[rank], ranks[rank], Value.sound(from, 1));
    }
    into.add(bytes - defined, 0, 0, Value.INITIAL);
  }

  private void addSegment(int segment, int memory, long start, long bytes, Strip into) {
    long[] chunk = chunks[segment >>> CHUNK_BITS];
    int at = (segment & CHUNK_MASK) * WIDTH;
    long segmentMeta = chunk[at + 2];
    switch (Value.state(segmentMeta)) {
      case Value.INITIAL -> addInitial(memory, start, bytes, into);
      case Value.MIXED -> addList(lists[(int) chunk[at]], 0, bytes, into);
      default -> into.add(bytes, chunk[at], chunk[at + 1], segmentMeta);
    }
  }

  private void addPart(int segment, int memory, long from, long to, Strip into) {
    long[] chunk = chunks[segment >>> CHUNK_BITS];
    int at = (segment & CHUNK_MASK) * WIDTH;
    long segmentMeta = chunk[at + 2];
    switch (Value.state(segmentMeta)) {
      case Value.INITIAL -> addInitial(memory, segments.start(segment) + from, to - from, into);
      case Value.MIXED -> addList(lists[(int) chunk[at]], from, to, into);
      default -> into.add(to - from, chunk[at], chunk[at + 1], Value.advance(segmentMeta, from));
    }
  }

  // ---- lists: the end, sum, tree and meta of each run

  private static void addList(long[] list, long from, long to, Strip into) {
    long start = 0;
    for (int at = 0; at < list.length && start < to; at += LIST_WIDTH) {
      long end = list[at];
      long first = Math.max(start, from);
      if (first < end) {
        into.add(
            Math.min(end, to) - first,
            list[at + 1],
            list[at + 2],
            Value.advance(list[at + 3], first - start));
      }
      start = end;
    }
  }

  /** Stores the values of some bytes of a strip as a list; returns the number of the list. */
  private int keep(Strip values, int firstRun, long from, long to) {
    int count = 1;
    while (values.ends[firstRun + count - 1] < to) {
      count++;
    }
    long[] list = new long[count * LIST_WIDTH];
    for (int i = 0; i < count; i++) {
      int run = firstRun + i;
      long skipped = i == 0 ? from - values.start(run) : 0;
      list[i * LIST_WIDTH] = Math.min(values.ends[run], to) - from;
      list[i * LIST_WIDTH + 1] = values.sums[run];
      list[i * LIST_WIDTH + 2] = values.trees[run];
      list[i * LIST_WIDTH + 3] = Value.advance(values.metas[run], skipped);
    }
    int number = freeCount > 0 ? freeLists[--freeCount] : listCount++;
    if (number == lists.length) {
      lists = Arrays.copyOf(lists, number * 2);
    }
    lists[number] = list;
    return number;
  }

  private void free(int number) {
    if (freeCount == freeLists.length) {
      freeLists = Arrays.copyOf(freeLists, freeCount * 2);
    }
    freeLists[freeCount++] = number;
    lists[number] = NO_LIST;
  }

  private static final long[] NO_LIST = {};
}
