package dev.tutti.plugins.direct;

import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.param.ReduceParam;
import dev.tutti.testkit.junit.ReduceTck;

class DirectReduceTest implements ReduceTck<DirectReduce> {

  @Override
  public boolean refuses(ReduceParam param) {
    return param.comm().protocol() == Protocol.RDMA;
  }
}
