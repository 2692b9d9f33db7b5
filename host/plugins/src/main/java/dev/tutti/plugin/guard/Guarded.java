package dev.tutti.plugin.guard;

import dev.tutti.verifier.capability.Restriction;

/**
 * A reference of a class file that needs a guard.
 *
 * @param owner the class in which the member is looked up, with slashes
 * @param name the member
 * @param descriptor its type
 * @param refusal the call and what to do about it if it is refused; empty if it is only inspected
 */
public record Guarded(String owner, String name, String descriptor, String refusal) {

  /** A call that is always refused. */
  public static Guarded refused(
      String owner, String name, String descriptor, String member, Restriction restriction) {
    return new Guarded(
        owner, name, descriptor, member + " is not allowed; " + restriction.advice());
  }

  /** A call by name that is allowed or not depending on its target. */
  public static Guarded inspected(String owner, String name, String descriptor) {
    return new Guarded(owner, name, descriptor, "");
  }

  boolean isRefused() {
    return !refusal.isEmpty();
  }
}
