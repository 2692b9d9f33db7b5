package dev.tutti.host.rank;

import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The thread that each rank called from last, to tell those who wait for a rank whether its thread
 * still lives. A rank may go on in another thread, so this is a hint and no proof. Thread-safe.
 */
final class CallerThreads {

  private final AtomicReferenceArray<WeakReference<Thread>> last;

  CallerThreads(int ranks) {
    this.last = new AtomicReferenceArray<>(ranks);
  }

  /** Notes that the current thread calls for a rank. */
  void note(int rank) {
    WeakReference<Thread> known = last.getPlain(rank);
    if (known == null || !known.refersTo(Thread.currentThread())) {
      last.set(rank, new WeakReference<>(Thread.currentThread()));
    }
  }

  /** Where the application is in the thread that a rank called from; empty if that is not known. */
  String source(int rank) {
    WeakReference<Thread> known = last.get(rank);
    Thread thread = known == null ? null : known.get();
    return thread == null ? "" : CallSite.of(thread);
  }

  /** A half-sentence if a rank called before and the thread it called from has ended. */
  String ended(int rank) {
    WeakReference<Thread> known = last.get(rank);
    Thread thread = known == null ? null : known.get();
    boolean hasEnded = known != null && (thread == null || !thread.isAlive());
    return hasEnded ? ", and the thread it last called from has ended" : "";
  }
}
