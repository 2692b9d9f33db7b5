package dev.tutti.cli.control;

/** One line of a host's answer. */
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
   * A piece of the text about problems and progress.
   *
   * @param text any part of it
   */
  record Err(String text) implements Answer {}

  /**
   * The last line: the command has ended.
   *
   * @param code its exit code
   */
  record Exit(int code) implements Answer {}

  /**
   * The last line: the command was not started.
   *
   * @param reason a sentence
   */
  record Refused(String reason) implements Answer {}
}
