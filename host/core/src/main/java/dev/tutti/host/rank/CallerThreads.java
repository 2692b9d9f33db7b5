package dev.tutti.host.rank;

import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The thread of each rank's last call. It shows waiting ranks whether the thread of the awaited
 * rank is still alive. A rank may continue in another thread, so this is only a hint. Thread-safe.
 */
final class CallerThreads {

  private final AtomicReferenceArray<WeakReference<Thread>> last;

  CallerThreads(int ranks) {
    this.last = new AtomicReferenceArray<>(ranks);
  }

  /** Notes that the current thread makes a call of a rank. */
  void note(int rank) {
    WeakReference<Thread> known = last.getPlain(rank);
    if (known == null || !known.refersTo(Thread.currentThread())) {
      last.set(rank, new WeakReference<>(Thread.currentThread()));
    }
  }

  /** The application's line in the thread of a rank's last call; empty if it is not known. */
  String source(int rank) {
    WeakReference<Thread> known = last.get(rank);
    Thread thread = known == null ? null : known.get();
    return thread == null ? "" : CallSite.of(thread);
  }

  /** Half a sentence if the thread of a rank's last call has ended; otherwise empty. */
  String ended(int rank) {
    WeakReference<Thread> known = last.get(rank);
    Thread thread = known == null ? null : known.get();
    boolean hasEnded = known != null && (thread == null || !thread.isAlive());
    return hasEnded ? ", and the thread it last called from has ended" : "";
  }
}
