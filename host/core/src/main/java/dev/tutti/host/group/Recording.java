package dev.tutti.host.group;

import dev.tutti.plugin.live.Generation;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The calls that a group records instead of running them. Thread-safe. */
public final class Recording extends SlotHolder {

  /**
   * The thread whose operations are recorded; null if the ranks' calls are recorded, on any thread.
   */
  private final @Nullable Thread thread;

  private final List<RecordedCall> calls = new ArrayList<>();
  private boolean isWarmUp;

  private Recording(@Nullable Thread thread, boolean isWarmUp) {
    this.thread = thread;
    this.isWarmUp = isWarmUp;
  }

  /** Records the operations that this thread runs for all ranks. */
  public static Recording ofThisThread() {
    return new Recording(Thread.currentThread(), false);
  }

  /** Records the calls that all ranks make together. */
  public static Recording ofRanks() {
    return new Recording(null, false);
  }

  /** Drops the operations that this thread runs. */
  public static Recording forWarmUp() {
    return new Recording(Thread.currentThread(), true);
  }

  /** The current recording of a group, or null. */
  public static @Nullable Recording in(RunSlot slot) {
    return slot.running() instanceof Recording capture ? capture : null;
  }

  /** Whether a group records its ranks' calls instead of running them. */
  public static boolean isOfRanks(RunSlot slot) {
    Recording capture = in(slot);
    return capture != null && capture.thread == null;
  }

  /**
   * Adds a call to the current capture.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} if it has ended
   */
  public static void record(RunSlot slot, RecordedCall call) {
    Recording capture = in(slot);
    if (capture == null) {
      throw new TuttiException(
          ErrorCode.INVALID_STATE, "the capture has ended; run the operation again");
    }
    capture.add(call);
  }

  @Override
  public boolean recordsThisThread() {
    return Thread.currentThread().equals(thread);
  }

  private synchronized void add(RecordedCall call) {
    if (!isWarmUp) {
      calls.add(call);
    }
  }

  /** Drops calls from now on, or records them again; returns the previous setting. */
  public synchronized boolean warmUp(boolean isWanted) {
    boolean before = isWarmUp;
    isWarmUp = isWanted;
    return before;
  }

  /** The recorded calls, in their order. */
  public synchronized List<RecordedCall> calls() {
    return List.copyOf(calls);
  }

  @Override
  public boolean uses(Generation generation) {
    return false;
  }

  @Override
  public String doing() {
    return thread == null
        ? "recording what its ranks call"
        : "recording what thread '" + thread.getName() + "' runs";
  }
}
