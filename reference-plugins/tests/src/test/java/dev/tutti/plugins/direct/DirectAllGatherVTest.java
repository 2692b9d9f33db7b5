package dev.tutti.plugins.direct;

import static dev.tutti.testkit.assertions.TestkitAssertions.assertThat;

import dev.tutti.sdk.DataType;
import dev.tutti.testkit.junit.AllGatherVTck;
import dev.tutti.testkit.junit.CaseCheck;
import dev.tutti.testkit.junit.CollectiveTest;

class DirectAllGatherVTest implements AllGatherVTck<DirectAllGatherV> {

  @CollectiveTest(
      value = DirectAllGatherV.class,
      ranks = {1, 2, 7, 16},
      counts = {1, 2_500},
      types = DataType.FLOAT32,
      cclBufferSize = 1 << 13)
  void costsWhatItDeclares(CaseCheck check) {
    assertThat(check.report()).isClean();
  }
}
