package dev.tutti.plugins.circulant;

import static dev.tutti.testkit.assertions.TestkitAssertions.assertThat;

import dev.tutti.sdk.DataType;
import dev.tutti.testkit.junit.AllGatherTck;
import dev.tutti.testkit.junit.CaseCheck;
import dev.tutti.testkit.junit.CollectiveTest;

class CirculantAllGatherTest implements AllGatherTck<CirculantAllGather> {

  @CollectiveTest(
      value = CirculantAllGather.class,
      ranks = {1, 2, 6, 13, 16, 23},
      counts = {1, 2_500},
      types = DataType.FLOAT32,
      cclBufferSize = 1 << 13)
  void costsWhatItDeclares(CaseCheck check) {
    assertThat(check.report()).isClean();
  }
}
