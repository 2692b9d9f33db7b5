package dev.tutti.plan.work;

/** Is told how much of some work is done. Any thread may call it, so it must be thread-safe. */
public interface WorkListener {

  /**
   * A part of the work is done.
   *
   * @param share the share of the outermost work that is done, 0 to 1
   * @param what what is being done, for example {@code "planning ring: recording"}
   */
  void at(double share, String what);

  /** The outermost work has ended. */
  void ended();
}
