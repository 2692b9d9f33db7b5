package dev.tutti.base.idle;

/** Work that any number of threads can take part in while they are idle. */
public interface SharedWork {

  /**
   * Does the work that this thread can do.
   *
   * @param worker the number of the thread, 0 for the caller
   * @return whether it did anything
   */
  boolean help(int worker);
}
