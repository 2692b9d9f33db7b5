package dev.tutti.plugins.direct;

import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.param.ExclusiveScanParam;
import dev.tutti.testkit.junit.ExclusiveScanTck;

class DirectExclusiveScanTest implements ExclusiveScanTck<DirectExclusiveScan> {

  @Override
  public boolean refuses(ExclusiveScanParam param) {
    return param.comm().protocol() == Protocol.RDMA;
  }
}
