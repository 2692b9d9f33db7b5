package dev.tutti.host.cli;

import dev.tutti.host.plugin.PluginProblem;

/** Shows what a verification finds, as soon as it is known. */
interface VerifyPrinter {

  /** Before the first algorithm. */
  void start();

  /** Something is wrong with a plugin that was to be verified. */
  void problem(PluginProblem problem);

  /** An algorithm is done. */
  void result(VerifyResult result);

  /** All algorithms are done. */
  void verdict(VerifyVerdict verdict);
}
