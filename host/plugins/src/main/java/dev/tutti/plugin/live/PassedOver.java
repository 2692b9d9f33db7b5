package dev.tutti.plugin.live;

import dev.tutti.base.text.Sentence;
import dev.tutti.plugin.Algorithm;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;

/**
 * An algorithm that was passed over because it failed while algorithms were compared: a defect of
 * its plugin that no caller notices.
 *
 * @param generation the generation of the plugin
 * @param algorithm the algorithm
 * @param what its failure, as part of a sentence
 * @param reason the code and the first line of the first failure
 */
record PassedOver(Generation generation, Algorithm algorithm, String what, String reason) {

  static PassedOver of(Generation generation, Algorithm algorithm, TuttiException failure) {
    String line = Sentence.firstLine(failure.getMessage());
    boolean isRejected = failure.code() == ErrorCode.PLUGIN_REJECTED;
    return new PassedOver(
        generation,
        algorithm,
        isRejected
            ? "made a plan that was judged wrong, and others are used instead"
            : "failed while it was compared with others, which are used instead",
        Sentence.of("[%s] %s", failure.code().id(), line));
  }

  /** Whether it is the same algorithm of the same generation, whatever the reason. */
  boolean isOf(PassedOver other) {
    return generation == other.generation && algorithm.equals(other.algorithm);
  }

  /** A sentence without its end. */
  @Override
  public String toString() {
    return Sentence.of("%s of version %s %s: %s", algorithm, algorithm.version(), what, reason);
  }
}
