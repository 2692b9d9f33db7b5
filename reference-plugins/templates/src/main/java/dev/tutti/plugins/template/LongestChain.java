package dev.tutti.plugins.template;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;

/**
 * The most that the transfers of {@link Exchanges}, which wait for one another, add up to, for
 * blocks of any sizes. In each step every member receives from one other. A transfer begins when
 * both its ends are ready, and a step ends when both its transfers are done.
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

  /**
   * A transfer from one member to another.
   *
   * @param bytes how much it moves
   */
  public record Message(int from, int to, long bytes) {}

  private final Unit unit;

  /** What the longest chain that ends at each member adds up to so far. */
  private long[] done;

  /** A chain that has not begun. */
  public LongestChain(Unit unit, int members) {
    this.unit = unit;
    this.done = new long[members];
  }

  /** A transfer between a member and someone who is none. */
  public void transfer(int member, long bytes) {
    done[member] += weight(bytes);
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
      long end = Math.max(done[member], done[from]) + weight(bytes.applyAsLong(member));
      next[member] = Math.max(next[member], end);
      next[from] = Math.max(next[from], end);
    }
    done = next;
  }

  /**
   * A step in which some members may rest; who rests waits for nobody.
   *
   * @param messages no two from one member, and no two to one
   */
  public void step(List<Message> messages) {
    long[] next = done.clone();
    for (Message message : messages) {
      long end = Math.max(done[message.from], done[message.to]) + weight(message.bytes);
      next[message.from] = Math.max(next[message.from], end);
      next[message.to] = Math.max(next[message.to], end);
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
