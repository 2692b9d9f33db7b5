package dev.tutti.testkit.calls;

import org.jspecify.annotations.Nullable;

/**
 * The kinds of calls that plugin code must not make: those that the host refuses to a plugin
 * without capabilities. The set is open and grows.
 */
public enum CallKind {
  /** Clocks and dates. */
  CLOCK("clocks", "a plan that depends on the time differs between ranks and between runs"),
  /** Random numbers and everything else that differs from run to run. */
  RANDOM("randomness", "ranks that draw different numbers emit plans that do not fit together"),
  /** Threads, and waits for other threads, except plain locks. */
  THREAD("threads", "the host alone decides what runs where; it calls executors from any thread"),
  /** Files, sockets, consoles. */
  IO("input and output", "planning must depend on its arguments alone and leave no trace"),
  /** Reflection, class loading, native memory. */
  REFLECTION(
      "reflection and class loading",
      "it bypasses the checks that a plugin must pass before it is served"),
  /** The process: its settings and its end. */
  PROCESS(
      "the process and its settings",
      "a plugin must not end the process of its host, or plan by what differs between the processes"
          + " of a group"),
  /** Everything else in the JDK that no plugin may use. */
  OTHER(
      "parts of the JDK that no plugin may use",
      "they change the host or bypass its guards, or planning does not need them");

  private final String label;
  private final String because;

  CallKind(String label, String because) {
    this.label = label;
    this.because = because;
  }

  /** The name, for example {@code "clocks"}. */
  public String label() {
    return label;
  }

  /** Why it is forbidden, as a clause. */
  public String because() {
    return because;
  }

  /** Whether a type belongs to the JDK; only the JDK has forbidden parts. */
  public static boolean isOfJdk(String type) {
    return ForbiddenNames.isOfJdk(type);
  }

  /**
   * The kind of a whole type, or null if the type may be used; some of its members may still be
   * forbidden.
   *
   * @param type the binary name of a class or interface, for example {@code "java.util.Random"}
   */
  public static @Nullable CallKind ofType(String type) {
    return ForbiddenNames.kindOf(type);
  }

  /**
   * The kind of a member, or null if it may be used.
   *
   * @param type the binary name of the type it is called on
   * @param member the name of a method or field, {@code "<init>"} for a constructor
   * @param descriptor its type as class files have it, for example {@code "(I)V"}; for methods only
   *     the parameters matter, for fields nothing
   */
  public static @Nullable CallKind ofMember(String type, String member, String descriptor) {
    return ForbiddenNames.kindOf(type, member, descriptor);
  }
}
