package dev.tutti.verifier.order;

import dev.tutti.simulator.flow.FlatPlan;
import java.util.Arrays;

/** The memories that the streams of some ranks use, rank by rank in the order of first accesses. */
final class UseList {

  private static final int STREAM = 0;
  private static final int MEMORY = 1;
  private static final int FIRST = 2;
  private static final int LAST = 3;
  private static final int FLAGS = 4;
  private static final int FIELDS = 5;

  private final int[] uses;
  private final int end;

  private UseList(int[] uses, int end) {
    this.uses = uses;
    this.end = end;
  }

  /** The uses of the ranks {@code from} to {@code to - 1}; see {@link Users#of}. */
  static UseList of(FlatPlan plan, int from, int to, int[] position) {
    Collector collector = new Collector(position);
    for (int rank = from; rank < to; rank++) {
      collector.addRank(plan, rank);
    }
    return new UseList(collector.uses, collector.end);
  }

  void forEach(Users.Visitor visitor) {
    for (int at = 0; at < end; at += FIELDS) {
      show(at, visitor);
    }
  }

  /** Visits the uses at some places. */
  void forEach(int[] places, Users.Visitor visitor) {
    for (int at : places) {
      show(at, visitor);
    }
  }

  private void show(int at, Users.Visitor visitor) {
    uses[at + FLAGS] |=
        visitor.use(
            uses[at + STREAM],
            uses[at + MEMORY],
            uses[at + FIRST],
            uses[at + LAST],
            uses[at + FLAGS]);
  }

  /** The places of the uses that a filter accepts. */
  int[] places(Users.Filter filter) {
    int[] places = new int[16];
    int count = 0;
    for (int at = 0; at < end; at += FIELDS) {
      if (filter.test(uses[at + STREAM], uses[at + MEMORY], uses[at + FIRST], uses[at + LAST])) {
        if (count == places.length) {
          places = Arrays.copyOf(places, 2 * count);
        }
        places[count++] = at;
      }
    }
    return Arrays.copyOf(places, count);
  }

  /** Collects the uses of one rank after another. */
  private static final class Collector implements FlatPlan.AccessVisitor {
    private final int[] position;
    private int rank;
    private int[] uses = new int[FIELDS << 4];
    private int end;

    /** A hash table of the current rank's uses: the place of each, + 1. */
    private int[] table = new int[16];

    private int count;

    Collector(int[] position) {
      this.position = position;
    }

    void addRank(FlatPlan plan, int added) {
      rank = added;
      count = 0;
      Arrays.fill(table, 0);
      plan.forEachAccess(added, this);
    }

    @Override
    public void access(
        int stream, int event, int memory, long offset, long bytes, boolean isWrite) {
      boolean isOwn = FlatPlan.memoryRank(memory) == rank && Users.isOfCaller(memory);
      if (isOwn || event >= position[stream]) {
        return;
      }
      int at = find(stream, memory, event);
      uses[at + LAST] = event;
      uses[at + FLAGS] |= isWrite ? Users.WRITES : 0;
    }

    /** The place of a use; adds the use if it is new. */
    private int find(int stream, int memory, int event) {
      int slot = slot(stream, memory);
      if (table[slot] != 0) {
        return table[slot] - 1;
      }
      if (2 * ++count > table.length) {
        rehash(2 * table.length);
        slot = slot(stream, memory);
      }
      if (end == uses.length) {
        uses = Arrays.copyOf(uses, Math.multiplyExact(end, 2));
      }
      int at = end;
      end += FIELDS;
      uses[at + STREAM] = stream;
      uses[at + MEMORY] = memory;
      uses[at + FIRST] = event;
      table[slot] = at + 1;
      return at;
    }

    /** The slot of a use in the table, or the free slot for it. */
    private int slot(int stream, int memory) {
      int mask = table.length - 1;
      int slot = (((memory * 31 + stream) * 0x9E3779B9) >>> 12) & mask;
      while (table[slot] != 0) {
        int at = table[slot] - 1;
        if (uses[at + MEMORY] == memory && uses[at + STREAM] == stream) {
          break;
        }
        slot = (slot + 1) & mask;
      }
      return slot;
    }

    private void rehash(int size) {
      table = new int[size];
      for (int at = end - (count - 1) * FIELDS; at < end; at += FIELDS) {
        table[slot(uses[at + STREAM], uses[at + MEMORY])] = at + 1;
      }
    }
  }
}
