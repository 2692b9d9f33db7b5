package dev.tutti.engine.message;

import java.lang.foreign.MemorySegment;

/**
 * Carries messages between processes that reach only their own memory. It belongs to one process.
 * No method blocks, and one thread at a time may call them.
 *
 * <p>Two processes send each other messages in one order and receive them in the same order; a wire
 * need not tell them apart. A message may arrive before it is asked for, and its sender may have to
 * wait until it is.
 */
public interface Wire {

  /** How many messages a process may have begun and not found done; they are numbered from 0. */
  int MOST_MESSAGES = 64;

  /**
   * Begins to send bytes, which nobody changes until the message is done.
   *
   * @param message tells it from all others that this process has begun and not found done
   * @param process the receiver
   * @param memory off-heap memory that has the bytes
   * @param offset where they begin, in bytes
   * @param bytes how many they are; at least 1
   */
  void send(int message, int process, MemorySegment memory, long offset, long bytes);

  /**
   * Begins to receive bytes, whose place nobody touches until the message is done.
   *
   * @param message tells it from all others that this process has begun and not found done
   * @param process the sender
   * @param memory off-heap memory that takes the bytes
   * @param offset where they go, in bytes
   * @param bytes how many they are; as many as the sender says
   */
  void receive(int message, int process, MemorySegment memory, long offset, long bytes);

  /** Whether a message that was begun is done; then its number may be given to another one. */
  boolean isDone(int message);

  /**
   * Ends the use of this wire while messages are on their way, as nobody will ask for them any
   * more. As far as that can be had, nothing arrives in any memory from now on; else {@link
   * MessageWorld#isAbandoned} says so. May wait for a short while.
   */
  default void giveUp() {}
}
