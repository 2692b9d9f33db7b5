package dev.tutti.plugins.template;

import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.topology.CommPlane;
import java.util.Arrays;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;

/**
 * The most that transfers which wait for one another add up to, for blocks of any sizes. In each
 * step every member receives from one other. A transfer begins when both its ends are ready. A
 * member that pulls goes on when it has what it receives, though its port may still be busy with
 * what it sends; one that pushes, when both are done.
 */
public final class LongestChain {

  /** What is added up. */
  public enum Unit {
    /** Messages; an empty transfer is none. */
    MESSAGES,
    /** Bytes that are moved. */
    MOVED,
    /** Bytes that are combined. */
    COMBINED
  }

  private final Unit unit;
  private final boolean pushes;

  /** What the longest chain that ends at each member adds up to so far. */
  private long[] done;

  /** Until when the port of each member is busy with what others pull. */
  private final long[] busy;

  /** A chain that has not begun. */
  public LongestChain(CommInfo comm, Unit unit, int members) {
    this.unit = unit;
    this.pushes = comm.protocol(CommPlane.COMBINED) == Protocol.RDMA;
    this.done = new long[members];
    this.busy = new long[members];
  }

  /** A transfer between a member and someone who is none. */
  public void transfer(int member, long bytes) {
    done[member] = Math.max(done[member], busy[member]) + weight(bytes);
  }

  /**
   * A step.
   *
   * @param source from whom a member receives; no two from one
   * @param bytes how much it receives
   */
  public void step(IntUnaryOperator source, IntToLongFunction bytes) {
    long[] next = new long[done.length];
    for (int member = 0; member < done.length; member++) {
      int from = source.applyAsInt(member);
      long start = Math.max(busy[from], Math.max(done[member], done[from]));
      long end = start + weight(bytes.applyAsLong(member));
      next[member] = Math.max(next[member], end);
      if (pushes) {
        next[from] = Math.max(next[from], end);
      } else if (unit == Unit.MOVED) {
        busy[from] = end;
      }
    }
    done = next;
  }

  private long weight(long bytes) {
    return unit == Unit.MESSAGES ? Math.min(1, bytes) : bytes;
  }

  /** What it adds up to. */
  public long length() {
    return Arrays.stream(done).max().orElse(0);
  }
}
