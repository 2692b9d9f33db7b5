package dev.tutti.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A work-stealing deque of non-negative ints: one owner pushes and pops at the bottom, any thread
 * steals at the top. Its capacity is fixed at creation.
 */
final class IntDeque {

  /*
   * Chase and Lev, "Dynamic circular work-stealing deque" (2005), with the memory orders of Lê et
   * al., "Correct and efficient work-stealing for weak memory models" (2013). The ring never grows,
   * because the compiler knows how many tasks there are; indexes are longs and never wrap. The
   * owner's pop and a thief meet only at the last element, where both compete by compare-and-set of
   * `top`; the full fence in pop orders the store to `bottom` before the load of `top`.
   */

  static final int EMPTY = -1;

  private static final VarHandle TOP;
  private static final VarHandle BOTTOM;
  private static final VarHandle ITEM = MethodHandles.arrayElementVarHandle(int[].class);

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      TOP = lookup.findVarHandle(IntDeque.class, "top", long.class);
      BOTTOM = lookup.findVarHandle(IntDeque.class, "bottom", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final int[] ring;
  private final int mask;

  @SuppressWarnings("UnusedVariable") // read and written through TOP
  private volatile long top;

  @SuppressWarnings("UnusedVariable") // read and written through BOTTOM
  private volatile long bottom;

  /**
   * An empty deque.
   *
   * @param room the most elements it ever holds
   */
  IntDeque(int room) {
    int size = Integer.highestOneBit(Math.max(1, room) * 2 - 1);
    this.ring = new int[Math.max(2, size)];
    this.mask = ring.length - 1;
  }

  /** Adds at the bottom; owner only. */
  void push(int item) {
    long b = (long) BOTTOM.getOpaque(this);
    ITEM.setOpaque(ring, (int) b & mask, item);
    BOTTOM.setRelease(this, b + 1);
  }

  /** Removes and returns the item at the bottom, or returns EMPTY; owner only. */
  int pop() {
    long b = (long) BOTTOM.getOpaque(this) - 1;
    BOTTOM.setRelease(this, b);
    VarHandle.fullFence();
    long t = (long) TOP.getOpaque(this);
    if (t > b) {
      BOTTOM.setRelease(this, b + 1);
      return EMPTY;
    }
    int item = (int) ITEM.getOpaque(ring, (int) b & mask);
    if (t == b) {
      if (!TOP.compareAndSet(this, t, t + 1)) {
        item = EMPTY;
      }
      BOTTOM.setRelease(this, b + 1);
    }
    return item;
  }

  /**
   * Removes and returns the item at the top; EMPTY if there is none or another thread was faster.
   */
  int steal() {
    long t = (long) TOP.getAcquire(this);
    VarHandle.fullFence();
    long b = (long) BOTTOM.getAcquire(this);
    if (t >= b) {
      return EMPTY;
    }
    int item = (int) ITEM.getOpaque(ring, (int) t & mask);
    return TOP.compareAndSet(this, t, t + 1) ? item : EMPTY;
  }
}
