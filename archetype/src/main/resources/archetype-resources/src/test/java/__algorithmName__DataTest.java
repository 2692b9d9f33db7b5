package ${package};

import static dev.tutti.testkit.assertions.TestkitAssertions.assertThat;

#if($operation != 'barrier')
import dev.tutti.sdk.DataType;
#end
import dev.tutti.testkit.junit.CaseCheck;
import dev.tutti.testkit.junit.CollectiveTest;

class ${algorithmName}DataTest {

  /** Runs on real data: in 32 orders of the actions, and 4 times on real threads. */
  @CollectiveTest(
#if($operation == 'send-receive')
      value = {${algorithmName}Send.class, ${algorithmName}Receive.class},
#else
      value = ${algorithmName}.class,
#end
      ranks = {2, 5},
#if($operation == 'barrier')
      topologies = "8+4")
#else
      topologies = "8+4",
      counts = 1000,
      types = DataType.FLOAT32)
#end
  void isRightInManyOrdersOfExecution(CaseCheck check) {
    assertThat(check.report(cluster -> cluster.schedules(32).stress(4)))
        .isClean()
        .hasRunAtLeast(36);
  }
}
