package dev.tutti.plugin.guard;

/** A class loader whose classes are guarded. */
public interface GuardedLoader {

  /** The permissions of its classes. */
  GuardPolicy guardPolicy();
}
