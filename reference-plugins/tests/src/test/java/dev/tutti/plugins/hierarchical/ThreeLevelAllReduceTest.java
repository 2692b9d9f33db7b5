package dev.tutti.plugins.hierarchical;

import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.testkit.junit.AllReduceTck;

class ThreeLevelAllReduceTest implements AllReduceTck<ThreeLevelAllReduce> {

  @Override
  public boolean refuses(AllReduceParam param) {
    return param.comm().topology().podCount() < 2;
  }
}
