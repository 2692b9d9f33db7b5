package dev.tutti.plugin.link;

/**
 * Something that is wrong with a reference, or with a class.
 *
 * @param what the thing in words; equal things are told once, with all places
 * @param advice what to do about it; may be empty
 * @param subject what in the class file it is about
 */
record LinkProblem(String what, String advice, Subject subject) {

  /** What in a class file a problem is about. */
  sealed interface Subject {}

  /** The class itself; {@code where} is its name or one of its members. */
  record Whole(String where) implements Subject {}

  /** A class that it names. */
  record Type(String name) implements Subject {}

  /** A member that it names. */
  record Member(MemberReference reference) implements Subject {}
}
