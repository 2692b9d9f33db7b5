package dev.tutti.host.group;

import dev.tutti.plugin.live.Generation;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a group records instead of running it. Thread-safe. */
public final class Recording extends SlotHolder {

  /** The thread that records; null if the ranks' calls are recorded, on whatever thread. */
  private final @Nullable Thread thread;

  private final List<RecordedCall> calls = new ArrayList<>();
  private boolean isWarmUp;

  private Recording(@Nullable Thread thread, boolean isWarmUp) {
    this.thread = thread;
    this.isWarmUp = isWarmUp;
  }

  /** Records what this thread runs for all ranks. */
  public static Recording ofThisThread() {
    return new Recording(Thread.currentThread(), false);
  }

  /** Records what all ranks call together. */
  public static Recording ofRanks() {
    return new Recording(null, false);
  }

  /** Forgets what this thread runs. */
  public static Recording forWarmUp() {
    return new Recording(Thread.currentThread(), true);
  }

  /** What a group records now instead of running it, or null. */
  public static @Nullable Recording in(RunSlot slot) {
    return slot.running() instanceof Recording capture ? capture : null;
  }

  /** Whether a group records its ranks' calls instead of running them. */
  public static boolean isOfRanks(RunSlot slot) {
    Recording capture = in(slot);
    return capture != null && capture.thread == null;
  }

  /**
   * Takes a call into the capture that is under way.
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

  /** Leaves out what comes from now on, or takes it in again; tells what it was before. */
  public synchronized boolean warmUp(boolean isWanted) {
    boolean before = isWarmUp;
    isWarmUp = isWanted;
    return before;
  }

  /** What was recorded, in the order of the calls. */
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
