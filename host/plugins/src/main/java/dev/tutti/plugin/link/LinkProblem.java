package dev.tutti.plugin.link;

/**
 * A problem of a reference or of a class.
 *
 * @param what the problem in words; equal problems are reported once, with all places
 * @param advice what to do about it; may be empty
 * @param subject the part of the class file that has the problem
 */
record LinkProblem(String what, String advice, Subject subject) {

  /** The part of a class file that has a problem. */
  sealed interface Subject {}

  /** The class itself; {@code where} is its name or one of its members. */
  record Whole(String where) implements Subject {}

  /** A class that the class file names. */
  record Type(String name) implements Subject {}

  /** A member that the class file names. */
  record Member(MemberReference reference) implements Subject {}
}
