package dev.tutti.plugins.scan;

import dev.tutti.mutation.MutationCheck;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CollExecutorBase;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScanMutationTest {

  /** A sample; docs/mutation.md has all mutants. */
  private static void noticesEveryWrongActionAndRequest(
      CollExecutorBase<?> executor, AlgOptions options) {
    MutationCheck.of(executor)
        .withRanks(2, 5)
        .withOptions(List.of(options))
        .withOneIn(80, 1)
        .run()
        .requireAtLeast(1);
  }

  @Test
  void ofRecursiveDoubling() {
    noticesEveryWrongActionAndRequest(new DoublingScan(), AlgOptions.none());
    noticesEveryWrongActionAndRequest(new DoublingExclusiveScan(), AlgOptions.none());
  }

  @Test
  void ofLinear() {
    AlgOptions segments = AlgOptions.none().with(Segments.SEGMENT.name(), 600);
    noticesEveryWrongActionAndRequest(new LinearScan(), segments);
    noticesEveryWrongActionAndRequest(new LinearExclusiveScan(), segments);
    noticesEveryWrongActionAndRequest(new HalvesScan(), segments);
  }
}
