package dev.tutti.plan;

import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.Topology;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Two ranks with one link between them that registers their inputs and outputs of 64 bytes. */
final class Pair {

  static final TransportMemType IN = TransportMemType.PARAM_INPUT;
  static final TransportMemType OUT = TransportMemType.PARAM_OUTPUT;
  static final CommInfo COMM = CommInfo.of(0, Topology.flat(2));
  static final AllReduceParam PARAM = new AllReduceParam(COMM, DataType.INT32, ReduceOp.SUM, 16);

  private Pair() {}

  /** One rank while it orchestrates. */
  record Side(Stream stream, Link link, AlgResourceResponse resources) {
    DeviceMem input() {
      return resources.paramInputMem();
    }

    DeviceMem output() {
      return resources.paramOutputMem();
    }
  }

  /** Records what two sides emit over a direct link. */
  static GroupPlan record(Consumer<Side> rank0, Consumer<Side> rank1) {
    return record(Protocol.DIRECT, true, rank0, rank1);
  }

  static GroupPlan record(
      Protocol protocol, boolean acknowledges, Consumer<Side> rank0, Consumer<Side> rank1) {
    ScriptedExecutor executor =
        new ScriptedExecutor(
            param ->
                AlgResourceRequest.of(
                        OpCommTransport.builder(param.comm())
                            .protocol(protocol)
                            .supportDataReceivedAck(acknowledges)
                            .notifyNum(5)
                            .ring(CommPlane.COMBINED, IN, OUT)
                            .build())
                    .withStreamNum(1),
            (param, resources) -> {
              int rank = param.comm().rank();
              Link link = resources.subComm(CommPlane.COMBINED).link(1 - rank);
              Side side = new Side(resources.mainStream(), link, resources);
              (rank == 0 ? rank0 : rank1).accept(side);
            });
    return new PlanRecorder().withSources(false).record("pair", executor, PARAM);
  }

  /** The actions of a plan in words. */
  static List<String> actions(RankPlan plan) {
    return IntStream.range(0, plan.actionCount()).mapToObj(plan::describe).toList();
  }
}
