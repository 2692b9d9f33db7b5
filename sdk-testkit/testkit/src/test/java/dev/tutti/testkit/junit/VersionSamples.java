package dev.tutti.testkit.junit;

import dev.tutti.sdk.Operation;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.matrix.Matrix;
import java.util.List;

/** Tests as authors write them, for runs under several versions of JUnit. */
final class VersionSamples {

  private VersionSamples() {}

  static class OneLine implements BroadcastTck<StarBroadcast> {
    @Override
    public Matrix matrix() {
      return Matrix.standard(Operation.BROADCAST)
          .withTopologies(List.of(Topology.flat(2), Topology.flat(3)));
    }
  }

  static class OneAnnotation {
    @CollectiveTest(value = StarBroadcast.class, ranks = 3, counts = 9)
    void passes(CaseCheck check) {
      check.report().requireClean();
    }

    @CollectiveTest(value = StarBroadcast.Hasty.class, ranks = 2, counts = 9)
    void fails(CaseCheck check) {
      check.report().requireClean();
    }
  }
}
