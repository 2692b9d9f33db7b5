package dev.tutti.simulator;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanRecorder;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.param.AllGatherParam;
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
import java.util.Map;

/**
 * Plans in which ranks read from others without notifies: one message after another, or all at
 * once.
 */
final class Reads {

  private Reads() {}

  /**
   * A plan.
   *
   * @param bytes the bytes of each message
   * @param from for each reading rank, its sources; the rank itself for a local copy
   * @param isParallel whether each message has its own stream
   */
  static GroupPlan plan(
      Topology topology, long bytes, Map<Integer, List<Integer>> from, boolean isParallel) {
    CollExecutorBase<AllGatherParam> executor =
        new CollExecutorBase<>() {
          @Override
          public AlgResourceRequest calcResRequest(AllGatherParam param) {
            int slaves = isParallel ? peers(param).size() : 0;
            return AlgResourceRequest.of(
                    OpCommTransport.mesh(
                        param.comm(),
                        CommPlane.COMBINED,
                        TransportMemType.PARAM_INPUT,
                        TransportMemType.PARAM_OUTPUT))
                .withStreamNum(slaves);
          }

          private List<Integer> peers(AllGatherParam param) {
            return from.getOrDefault(param.comm().rank(), List.of());
          }

          @Override
          public void orchestrate(AllGatherParam param, AlgResourceResponse res) {
            res.mainStream().fork(res.slaveStreams());
            int next = 0;
            for (int peer : peers(param)) {
              Stream stream = isParallel ? res.slaveStreams().get(next) : res.mainStream();
              DeviceMem dst = res.paramOutputMem().slice(next * bytes, bytes);
              next++;
              if (peer == param.comm().rank()) {
                stream.copy(dst, res.paramInputMem());
              } else {
                Link link = res.subComm(CommPlane.COMBINED, 0).link(peer);
                link.read(stream, dst, link.remote(TransportMemType.PARAM_INPUT));
              }
            }
            res.mainStream().join(res.slaveStreams());
          }
        };
    CommInfo comm = CommInfo.of(0, topology);
    return new PlanRecorder()
        .record("reads", executor, new AllGatherParam(comm, DataType.UINT8, bytes));
  }
}
