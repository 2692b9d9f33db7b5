package dev.tutti.cli.verify;

import dev.tutti.cli.catalogue.AlgorithmWithPeer;
import dev.tutti.plugin.PluginProblem;
import dev.tutti.verifier.matrix.Coverage;

/** Shows the results of a verification, each as soon as it is known. */
interface VerifyPrinter {

  /** Called before the first algorithm. */
  void start();

  /** Reports a problem of a plugin that was to be verified. */
  void problem(PluginProblem problem);

  /** Reports the result of an algorithm. */
  void result(VerifyResult result);

  /** Reports the coverage of an algorithm's checked cases, after its result. */
  void coverage(AlgorithmWithPeer subject, Coverage coverage);

  /** Reports the verdict, after all algorithms. */
  void verdict(VerifyVerdict verdict);
}
