package dev.tutti.plugins.doubling;

import static dev.tutti.testkit.assertions.TestkitAssertions.assertThat;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.testkit.junit.AllReduceTck;
import dev.tutti.testkit.junit.CaseCheck;
import dev.tutti.testkit.junit.CollectiveTest;

class HalvingDoublingAllReduceTest implements AllReduceTck<HalvingDoublingAllReduce> {

  @CollectiveTest(
      value = HalvingDoublingAllReduce.class,
      ranks = {1, 2, 6, 8, 13, 23},
      counts = {1, 2_500},
      types = DataType.FLOAT32,
      reductions = ReduceOp.SUM,
      cclBufferSize = 1 << 13)
  void costsWhatItDeclares(CaseCheck check) {
    assertThat(check.report()).isClean();
  }
}
