package dev.tutti.engine.message;

/**
 * The processes that send each other messages, as one of them sees them. Thread-safe, as wires are
 * of different tags.
 */
public interface MessageWorld extends AutoCloseable {

  /** The number of this process, from 0. */
  int process();

  /** How many processes there are. */
  int processes();

  /** The greatest tag of a wire. */
  int maxTag();

  /**
   * A wire between some processes.
   *
   * @param tag tells its messages from those of wires with other tags: 0 to {@link #maxTag}
   * @param members the processes by the numbers that the wire's user has for them
   * @throws dev.tutti.sdk.TuttiException with code INVALID_ARGUMENT if the tag is out of range
   */
  Wire newWire(int tag, int[] members);

  /** Has {@link #close} not wait for the others, as one of them has ended. */
  void abandon();

  /**
   * Whether that is so, or messages were given up that may still be on their way. Then no memory
   * must be freed that messages went to or came from.
   */
  boolean isAbandoned();

  /** Leaves the others; no message is on its way. May wait for them. */
  @Override
  void close();
}
