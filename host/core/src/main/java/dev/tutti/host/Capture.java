package dev.tutti.host;

import dev.tutti.plugin.live.Generation;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a group records instead of running it. Thread-safe. */
final class Capture extends SlotHolder {

  /** The thread that records; null if the ranks' calls are recorded, on whatever thread. */
  private final @Nullable Thread thread;

  private final List<CapturedCall> calls = new ArrayList<>();
  private boolean isWarmUp;

  private Capture(@Nullable Thread thread, boolean isWarmUp) {
    this.thread = thread;
    this.isWarmUp = isWarmUp;
  }

  /** Records what this thread runs for all ranks. */
  static Capture ofThisThread() {
    return new Capture(Thread.currentThread(), false);
  }

  /** Records what all ranks call together. */
  static Capture ofRanks() {
    return new Capture(null, false);
  }

  /** Forgets what this thread runs. */
  static Capture forWarmUp() {
    return new Capture(Thread.currentThread(), true);
  }

  /** What a group records now instead of running it, or null. */
  static @Nullable Capture in(RunSlot slot) {
    return slot.running() instanceof Capture capture ? capture : null;
  }

  /** Whether a group records its ranks' calls instead of running them. */
  static boolean isOfRanks(RunSlot slot) {
    Capture capture = in(slot);
    return capture != null && capture.thread == null;
  }

  /**
   * Takes a call into the capture that is under way.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} if it has ended
   */
  static void record(RunSlot slot, CapturedCall call) {
    Capture capture = in(slot);
    if (capture == null) {
      throw new TuttiException(
          ErrorCode.INVALID_STATE, "the capture has ended; run the operation again");
    }
    capture.add(call);
  }

  @Override
  boolean recordsThisThread() {
    return Thread.currentThread().equals(thread);
  }

  private synchronized void add(CapturedCall call) {
    if (!isWarmUp) {
      calls.add(call);
    }
  }

  /** Leaves out what comes from now on, or takes it in again; tells what it was before. */
  synchronized boolean warmUp(boolean isWanted) {
    boolean before = isWarmUp;
    isWarmUp = isWanted;
    return before;
  }

  /** What was recorded, in the order of the calls. */
  synchronized List<CapturedCall> calls() {
    return List.copyOf(calls);
  }

  @Override
  boolean uses(Generation generation) {
    return false;
  }

  @Override
  String doing() {
    return thread == null
        ? "recording what its ranks call"
        : "recording what thread '" + thread.getName() + "' runs";
  }
}
