package dev.tutti.engine.machine;

import java.util.BitSet;

/**
 * The processor that a thread runs on. It is a hint, because the system may move the thread at any
 * time.
 */
public interface CurrentProcessor {

  /** The number where none is known. */
  int UNKNOWN = -1;

  /** The processors of this machine. Nothing is known if it has another system than Linux. */
  static CurrentProcessor ofSystem() {
    return LinuxProcessor.INSTANCE;
  }

  /**
   * The number of the processor that runs this thread, from 0; {@link #UNKNOWN} if it is not known,
   * or if the thread is virtual. Takes some 20 ns.
   */
  int number();

  /** The numbers of the processors that may run this thread; empty if they are not known. */
  BitSet allowed();

  /**
   * Moves this thread to another processor. It is not bound to it: the processors that may run it
   * remain the same. Takes some 10 µs.
   *
   * @param processor one of the {@link #allowed()} processors
   * @return whether the thread was moved
   */
  boolean moveTo(int processor);
}
