package dev.tutti.plugins.template;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.AllGatherParam;
import dev.tutti.sdk.param.ReduceScatterParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.template.TemplateParam;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.VirtualCluster;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each template by itself, in several rounds: it must leave nothing open for what follows. */
class RingTemplatesTest {

  private static final int CCL_BYTES = 512;

  /** Reduces in scratch memory, which the next round overwrites at once. */
  private static final class ReduceScatterAlone extends NativeExecutorBase<ReduceScatterParam> {

    @Override
    protected long calcScratchMemSize(ReduceScatterParam param) {
      return maxCountPerRound(param) * param.dataType().size() * param.comm().rankSize();
    }

    @Override
    protected OpCommTransport calcCommInfo(ReduceScatterParam param) {
      OpCommTransport.Builder links = OpCommTransport.builder(param.comm());
      new RingReduceScatter()
          .requestLinks(
              links, CommPlane.COMBINED, TransportMemType.SCRATCH, TransportMemType.SCRATCH);
      return links.build();
    }

    @Override
    protected void kernelRun(ReduceScatterParam param, ExecMem mem) {
      Stream stream = mem.resources().mainStream();
      SubCommInfo comm = mem.resources().subComm(CommPlane.COMBINED);
      DeviceMem work = mem.scratch().slice(0, mem.input().size());
      stream.copy(work, mem.input());
      TemplateParam template =
          new TemplateParam(
              stream, work, work, mem.inputSlices(), param.dataType(), param.reduceOp());
      new RingReduceScatter().run(comm, template);
      stream.copy(mem.output(), work.slice(mem.inputSlices().get(comm.localRank())));
    }
  }

  private static final class AllGatherAlone extends NativeExecutorBase<AllGatherParam> {

    @Override
    protected OpCommTransport calcCommInfo(AllGatherParam param) {
      OpCommTransport.Builder links = OpCommTransport.builder(param.comm());
      TransportMemType output = outputMemType(param);
      new RingAllGather().requestLinks(links, CommPlane.COMBINED, output, output);
      return links.build();
    }

    @Override
    protected void kernelRun(AllGatherParam param, ExecMem mem) {
      Stream stream = mem.resources().mainStream();
      SubCommInfo comm = mem.resources().subComm(CommPlane.COMBINED);
      stream.copy(mem.outputBlock(comm.localRank()), mem.input());
      TemplateParam template =
          new TemplateParam(
              stream, mem.output(), mem.output(), mem.outputSlices(), param.dataType(), null);
      new RingAllGather().run(comm, template);
    }
  }

  private static VirtualCluster cluster(int ranks, Protocol protocol) {
    return VirtualCluster.builder(Topology.flat(ranks))
        .mode(WorkflowMode.OP_BASE)
        .protocol(protocol)
        .cclBufferSize(CCL_BYTES)
        .build();
  }

  @ParameterizedTest
  @EnumSource
  void reduceScatterStandsAlone(Protocol protocol) {
    for (int ranks = 1; ranks <= 5; ranks++) {
      VirtualCluster cluster = cluster(ranks, protocol);
      cluster
          .check(
              new ReduceScatterAlone(),
              new ReduceScatterParam(cluster.comm(), DataType.INT32, ReduceOp.SUM, 333))
          .requireClean();
    }
  }

  @ParameterizedTest
  @EnumSource
  void allGatherStandsAlone(Protocol protocol) {
    for (int ranks = 1; ranks <= 5; ranks++) {
      VirtualCluster cluster = cluster(ranks, protocol);
      cluster
          .check(new AllGatherAlone(), new AllGatherParam(cluster.comm(), DataType.INT16, 333))
          .requireClean();
    }
  }
}
