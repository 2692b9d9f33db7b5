package dev.tutti.plan;

import static dev.tutti.plan.Pair.IN;
import static dev.tutti.plan.Pair.OUT;

import dev.tutti.author.RingAllReduce;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.RankList;
import java.util.List;

/** Plans of two ranks for tests of code that reads plans. */
final class SamplePlans {

  private static final ScriptedExecutor EVERYTHING =
      new ScriptedExecutor(
          param ->
              AlgResourceRequest.of(
                      OpCommTransport.builder(param.comm())
                          .ring(CommPlane.LEVEL0, IN, OUT)
                          .notifyNum(7)
                          .protocol(Protocol.RDMA)
                          .subComm(
                              CommPlane.COMBINED,
                              1,
                              RankList.of(1, 0),
                              TransportMemType.SCRATCH,
                              TransportMemType.AIV_OUTPUT,
                              0,
                              1)
                          .build())
                  .withScratchMemSize(1L << 40)
                  .withStreamNum(2)
                  .withNotifyNum(5)
                  .withAivBufferSize(128),
          (param, resources) -> everything(param.comm().rank(), resources));

  private SamplePlans() {}

  private static void everything(int rank, AlgResourceResponse resources) {
    Stream main = resources.mainStream();
    Stream slave = resources.slaveStreams().getLast();
    Link link = resources.subComm(CommPlane.LEVEL0).link(1 - rank);
    Link pushed = resources.subComm(CommPlane.COMBINED, 1).link(rank);
    DeviceMem in = resources.paramInputMem();
    DeviceMem out = resources.paramOutputMem();
    main.fork(resources.slaveStreams());
    main.copy(out.slice(0, 32), in.slice(32, 32));
    slave.reduce(out.slice(32, 32), in.slice(0, 32), DataType.BFLOAT16, ReduceOp.PROD);
    link.txAck(main);
    link.rxAck(main);
    main.reduceFrom(
        out.slice(0, 8),
        List.of(in.slice(0, 8), link.remote(IN).slice(8, 8), out.slice(0, 8)),
        DataType.UINT64,
        ReduceOp.BXOR);
    pushed.write(
        slave, pushed.remote(TransportMemType.SCRATCH).slice((1L << 40) - 4, 4), in.slice(0, 4));
    pushed.writeReduce(
        slave,
        pushed.remote(TransportMemType.AIV_OUTPUT).slice(0, 4),
        in.slice(0, 4),
        DataType.INT8,
        ReduceOp.MIN);
    pushed.post(slave, 6);
    pushed.await(slave, 6);
    main.join(resources.slaveStreams());
    main.post(resources.notifies().getLast());
    main.await(resources.notifies().getLast());
  }

  /** A plan with every kind of action but NESTED, and no source lines. */
  static GroupPlan everything() {
    return new PlanRecorder().withSources(false).record("everything", EVERYTHING, Pair.PARAM);
  }

  /** A ring all-reduce of two ranks with source lines. */
  static GroupPlan ring() {
    return new PlanRecorder().record("ring", new RingAllReduce(), Pair.PARAM);
  }

  /** Plans nested two levels deep, some of them several times. */
  static GroupPlan nested() {
    GroupPlan ring = ring();
    GroupPlan everything = everything();
    GroupPlan inner = GroupPlan.sequence("inner", List.of(ring, everything, ring));
    return GroupPlan.sequence("nested", List.of(inner, everything, inner));
  }

  static List<GroupPlan> all() {
    GroupPlan empty =
        new GroupPlan(
            "empty", true, List.of(new RankPlanBuilder(0).build(), new RankPlanBuilder(1).build()));
    return List.of(everything(), ring(), nested(), empty);
  }
}
