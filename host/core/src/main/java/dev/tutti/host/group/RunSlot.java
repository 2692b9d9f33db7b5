package dev.tutti.host.group;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The slot of a group that a run must hold, so that there is one run at a time. It also shows that
 * a group is poisoned or closed, so one compare-and-set before a run checks everything.
 *
 * <p>The value of {@code holder} is free, a running request, poison or closed. Only the holder of
 * the slot releases it, or hands it to another request while idle, so memory is never freed during
 * a run. If a group is poisoned during a run, the poison waits in {@code poison} until the end of
 * the run. The poisoner writes {@code poison} and then reads the holder; the runner writes the
 * holder and then reads {@code poison}. Both are volatile, so one of the two sees the other.
 */
public final class RunSlot {

  private static final VarHandle HOLDER = handle("holder", Object.class);
  private static final VarHandle POISON = handle("poison", Poison.class);

  private volatile Object holder = Mark.FREE;
  private volatile @Nullable Poison poison;

  /** Wakes waiting threads when the group is poisoned; set before the group is used. */
  private Runnable wake = () -> {};

  /** Gets the cause when the group is first poisoned; set before the group is used. */
  private Consumer<String> log = cause -> {};

  /** Holders other than requests. */
  private enum Mark {
    FREE,
    CLOSED
  }

  /** The holder after a failure has ended the use of the group. */
  private record Poison(String cause) {}

  private static VarHandle handle(String field, Class<?> type) {
    try {
      return MethodHandles.lookup().findVarHandle(RunSlot.class, field, type);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /**
   * Takes the slot, unless this thread records what the group would run.
   *
   * @return whether it was taken; if not, the run must be recorded
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} or {@link ErrorCode#GROUP_POISONED}
   */
  public boolean acquire(SlotHolder user) {
    if (HOLDER.compareAndSet(this, Mark.FREE, user)) {
      return true;
    }
    Object found = holder;
    if (found instanceof SlotHolder other) {
      if (other.recordsThisThread()) {
        return false;
      }
      if (poison == null && other.giveWay(() -> HOLDER.compareAndSet(this, other, user))) {
        return true;
      }
    }
    throw refused(found);
  }

  /** Releases the slot. Only its holder may call this. */
  public void release() {
    holder = Mark.FREE;
    placePoison();
  }

  /**
   * Sets what happens when the group is poisoned.
   *
   * @param waker wakes threads that wait for others
   * @param first gets the failure that ended the use of the group, once
   */
  public void onPoison(Runnable waker, Consumer<String> first) {
    wake = waker;
    log = first;
  }

  /** Ends the use of the group and wakes all waiting threads. The group can then only be closed. */
  public void poison(String cause) {
    boolean isFirst = POISON.compareAndSet(this, null, new Poison(cause));
    placePoison();
    wake.run();
    if (isFirst) {
      log.accept(cause);
    }
  }

  private void placePoison() {
    Poison waiting = poison;
    if (waiting != null) {
      HOLDER.compareAndSet(this, Mark.FREE, waiting);
    }
  }

  /** The holder of the slot, or null. */
  public @Nullable SlotHolder running() {
    return holder instanceof SlotHolder user ? user : null;
  }

  /** Whether the group can run something, now or later. */
  public boolean isUsable() {
    return !isPoisoned() && !isClosed();
  }

  public boolean isPoisoned() {
    return poison != null;
  }

  /** The failure that ended the use of the group; empty if there was none. */
  public String poisonCause() {
    Poison failure = poison;
    return failure == null ? "" : failure.cause();
  }

  public boolean isClosed() {
    return holder == Mark.CLOSED;
  }

  /** Refuses a group that can no longer run anything. */
  public void requireUsable() {
    if (poison != null || holder == Mark.CLOSED) {
      throw refused(holder);
    }
  }

  /** Refuses a group that is running something. */
  public void requireNothingRuns() {
    Object now = holder;
    if (now instanceof SlotHolder user && !user.isIdle()) {
      throw refused(now);
    }
  }

  /**
   * Closes the group.
   *
   * @return whether it was open
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} while a run is under way
   */
  boolean close() {
    while (true) {
      Object now = holder;
      if (now == Mark.CLOSED) {
        return false;
      }
      if (now instanceof SlotHolder user) {
        if (user.giveWay(() -> HOLDER.compareAndSet(this, now, Mark.CLOSED))) {
          return true;
        }
        throw refused(now);
      }
      if (HOLDER.compareAndSet(this, now, Mark.CLOSED)) {
        return true;
      }
    }
  }

  private TuttiException refused(Object found) {
    if (found == Mark.CLOSED) {
      return new TuttiException(ErrorCode.INVALID_STATE, "the group is closed; create another one");
    }
    Poison failure = poison;
    if (failure != null) {
      return new TuttiException(
          ErrorCode.GROUP_POISONED,
          "the group is unusable after an earlier failure and can only be closed; the failure was:"
              + " %s",
          failure.cause());
    }
    return new TuttiException(
        ErrorCode.INVALID_STATE,
        "the group is %s; a group runs one operation at a time, so wait for its end or use another"
            + " group",
        found instanceof SlotHolder user ? user.doing() : "running another operation");
  }
}
