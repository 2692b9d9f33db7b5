package dev.tutti.engine;

/** Something that any number of threads can work on, the helpers of an engine among them. */
public interface SharedWork {

  /**
   * Does what this thread can do.
   *
   * @param worker the number of the thread, 0 for the caller
   * @return whether it did anything
   */
  boolean help(int worker);
}
