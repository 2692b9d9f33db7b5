package dev.tutti.cli.verify;

import dev.tutti.cli.catalogue.AlgorithmWithPeer;
import dev.tutti.plugin.PluginProblem;
import dev.tutti.verifier.matrix.Coverage;

/** Shows what a verification finds, as soon as it is known. */
interface VerifyPrinter {

  /** Before the first algorithm. */
  void start();

  /** Something is wrong with a plugin that was to be verified. */
  void problem(PluginProblem problem);

  /** An algorithm is done. */
  void result(VerifyResult result);

  /** What the checked cases of an algorithm have visited; follows its result. */
  void coverage(AlgorithmWithPeer subject, Coverage coverage);

  /** All algorithms are done. */
  void verdict(VerifyVerdict verdict);
}
