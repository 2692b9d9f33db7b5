package dev.tutti.plugins.scan;

import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.ScanParam;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.testkit.junit.ScanTck;

class HalvesScanTest implements ScanTck<HalvesScan> {

  @Override
  public boolean refuses(ScanParam param) {
    boolean isOverwritten = param.inPlace() && param.comm().mode() == WorkflowMode.GRAPH;
    return isOverwritten
        || param.comm().rankSize() < 3
        || param.comm().protocol(CommPlane.COMBINED) == Protocol.RDMA;
  }
}
