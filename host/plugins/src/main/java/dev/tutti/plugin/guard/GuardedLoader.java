package dev.tutti.plugin.guard;

/** A class loader whose classes are guarded. */
public interface GuardedLoader {

  /** What its classes may do. */
  GuardPolicy guardPolicy();
}
