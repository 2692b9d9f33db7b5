package dev.tutti.engine.message;

import java.lang.foreign.MemorySegment;

/**
 * Carries messages between processes that reach only their own memory. It belongs to one process.
 * No method blocks, and one thread at a time may call them.
 *
 * <p>A process receives the messages of another one in the order in which they were sent, so a wire
 * need not distinguish them. A message may arrive before its receipt is begun, and its sender may
 * have to wait until then.
 */
public interface Wire {

  /**
   * The largest number of messages that a process may have begun and not found done; they are
   * numbered from 0.
   */
  int MOST_MESSAGES = 64;

  /**
   * Begins to send bytes, which must not change until the message is done.
   *
   * @param message its number, different from all others that this process has begun and not found
   *     done
   * @param process the receiver
   * @param memory off-heap memory that has the bytes
   * @param offset the first byte
   * @param bytes the number of bytes, at least 1
   */
  void send(int message, int process, MemorySegment memory, long offset, long bytes);

  /**
   * Begins to receive bytes, whose memory must not be touched until the message is done.
   *
   * @param message its number, different from all others that this process has begun and not found
   *     done
   * @param process the sender
   * @param memory off-heap memory for the bytes
   * @param offset the first byte
   * @param bytes the number of bytes, the same as at the sender
   */
  void receive(int message, int process, MemorySegment memory, long offset, long bytes);

  /** Whether a message that was begun is done; then its number may be used again. */
  boolean isDone(int message);

  /**
   * Ends the use of this wire while messages are on their way that will not be used. If possible,
   * no more bytes arrive in any memory; otherwise {@link MessageWorld#isAbandoned} is true. May
   * wait for a short while.
   */
  default void giveUp() {}
}
