package dev.tutti.plan;

import dev.tutti.sdk.resource.TransportMemType;
import java.util.Arrays;

/** Finds the marks of a plan: where spans begin and end in each memory. Used once. */
final class MarkFinder {

  private static final TransportMemType[] TYPES = TransportMemType.values();

  private static final int NONE = -1;

  private final GroupPlan plan;
  private final int[] memories;
  private final int[] sizeMarks;

  /** By memory: positions; in any order and with duplicates until they are sorted. */
  private long[][] found = new long[8][];

  private int[] counts = new int[8];
  private int memoryCount;
  private int[] first = {};

  private MarkFinder(GroupPlan plan) {
    this.plan = plan;
    this.memories = new int[plan.rankSize() * TYPES.length];
    this.sizeMarks = new int[memories.length];
  }

  static MarkFinder of(GroupPlan plan) {
    MarkFinder finder = new MarkFinder(plan);
    finder.findMemories();
    for (RankPlan rank : plan.ranks()) {
      rank.forEachAccess(
          (action, owner, type, offset, bytes, isWrite) -> {
            int memory = finder.memories[owner * TYPES.length + type.ordinal()];
            finder.add(memory, offset);
            finder.add(memory, offset + bytes);
          });
    }
    finder.number();
    return finder;
  }

  /** In place, a rank's input and output are the same memory, and an operand may name either. */
  private void findMemories() {
    Arrays.fill(memories, NONE);
    for (RankPlan rank : plan.ranks()) {
      for (TransportMemType type : TYPES) {
        long size = rank.memSize(type);
        int place = place(rank, type);
        int twin = plan.inPlace() ? place(rank, twin(type)) : place;
        if (size > 0 && memories[twin] == NONE) {
          memories[place] = add(size);
        } else if (size > 0) {
          memories[place] = memories[twin];
          add(memories[place], size);
        }
        memories[twin] = memories[place];
      }
    }
  }

  private static TransportMemType twin(TransportMemType type) {
    return switch (type) {
      case PARAM_INPUT -> TransportMemType.PARAM_OUTPUT;
      case PARAM_OUTPUT -> TransportMemType.PARAM_INPUT;
      default -> type;
    };
  }

  private static int place(RankPlan rank, TransportMemType type) {
    return rank.rank() * TYPES.length + type.ordinal();
  }

  private int add(long size) {
    if (memoryCount == found.length) {
      found = Arrays.copyOf(found, 2 * memoryCount);
      counts = Arrays.copyOf(counts, 2 * memoryCount);
    }
    found[memoryCount] = new long[4];
    counts[memoryCount] = 0;
    add(memoryCount, 0);
    add(memoryCount, size);
    return memoryCount++;
  }

  private void add(int memory, long position) {
    long[] positions = found[memory];
    if (counts[memory] == positions.length) {
      sort(memory);
      positions = found[memory];
      if (counts[memory] > positions.length / 2) {
        positions = Arrays.copyOf(positions, 2 * positions.length);
        found[memory] = positions;
      }
    }
    positions[counts[memory]++] = position;
  }

  /** Sorts the positions of a memory and removes duplicates. */
  private void sort(int memory) {
    long[] positions = found[memory];
    Arrays.sort(positions, 0, counts[memory]);
    int kept = 0;
    for (int i = 0; i < counts[memory]; i++) {
      if (kept == 0 || positions[i] != positions[kept - 1]) {
        positions[kept++] = positions[i];
      }
    }
    counts[memory] = kept;
  }

  private void number() {
    first = new int[memoryCount + 1];
    for (int memory = 0; memory < memoryCount; memory++) {
      sort(memory);
      first[memory + 1] = Math.addExact(first[memory], counts[memory]);
    }
    for (RankPlan rank : plan.ranks()) {
      for (TransportMemType type : TYPES) {
        int place = place(rank, type);
        int memory = memories[place];
        sizeMarks[place] =
            rank.memSize(type) == 0
                ? -1
                : first[memory]
                    + Arrays.binarySearch(found[memory], 0, counts[memory], rank.memSize(type));
      }
    }
  }

  int[] memories() {
    return memories;
  }

  int[] first() {
    return first;
  }

  int[] sizeMarks() {
    return sizeMarks;
  }

  /** Where each mark is in the plan. */
  long[] positions() {
    long[] positions = new long[first[memoryCount]];
    for (int memory = 0; memory < memoryCount; memory++) {
      System.arraycopy(found[memory], 0, positions, first[memory], counts[memory]);
    }
    return positions;
  }
}
