package dev.tutti.plugins.direct;

import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.param.ScanParam;
import dev.tutti.testkit.junit.ScanTck;

class DirectScanTest implements ScanTck<DirectScan> {

  @Override
  public boolean refuses(ScanParam param) {
    return param.comm().protocol() == Protocol.RDMA;
  }
}
