package dev.tutti.cli.control;

/** One line of what a host answers. */
sealed interface Answer {

  /**
   * The first line, before the request.
   *
   * @param pid the process that serves
   */
  record Hello(long pid) implements Answer {}

  /**
   * A piece of the results.
   *
   * @param text any part of them
   */
  record Out(String text) implements Answer {}

  /**
   * A piece of what is said about problems and progress.
   *
   * @param text any part of it
   */
  record Err(String text) implements Answer {}

  /**
   * The last line: the command was carried out.
   *
   * @param code its exit code
   */
  record Exit(int code) implements Answer {}

  /**
   * The last line: the command was not begun.
   *
   * @param reason a sentence
   */
  record Refused(String reason) implements Answer {}
}
