package dev.tutti.engine.message;

/**
 * The processes that send each other messages, as one of them sees them. Thread-safe, because wires
 * have different tags.
 */
public interface MessageWorld extends AutoCloseable {

  /** The number of this process, from 0. */
  int process();

  /** The number of processes. */
  int processes();

  /** The greatest tag of a wire. */
  int maxTag();

  /**
   * A wire between some processes.
   *
   * @param tag a number that separates its messages from those of other wires: 0 to {@link #maxTag}
   * @param members the processes, by the numbers that the user of the wire gives them
   * @throws dev.tutti.sdk.TuttiException with code INVALID_ARGUMENT if the tag is out of range
   */
  Wire newWire(int tag, int[] members);

  /** Makes {@link #close} not wait for the others, because one of them has ended. */
  void abandon();

  /**
   * Whether {@link #abandon} was called, or messages were given up that may still be on their way.
   * Then memory of messages must not be freed.
   */
  boolean isAbandoned();

  /** Leaves the others; no message may be on its way. May wait for them. */
  @Override
  void close();
}
