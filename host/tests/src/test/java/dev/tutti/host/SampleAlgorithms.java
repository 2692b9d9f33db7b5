package dev.tutti.host;

import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.param.AllGatherParam;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.param.AllToAllParam;
import dev.tutti.sdk.param.AllToAllVParam;
import dev.tutti.sdk.param.BarrierParam;
import dev.tutti.sdk.param.BroadcastParam;
import dev.tutti.sdk.param.ExclusiveScanParam;
import dev.tutti.sdk.param.GatherParam;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.param.ReceiveParam;
import dev.tutti.sdk.param.ReduceParam;
import dev.tutti.sdk.param.ReduceScatterParam;
import dev.tutti.sdk.param.ScanParam;
import dev.tutti.sdk.param.ScatterParam;
import dev.tutti.sdk.param.SendParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import java.util.ArrayList;
import java.util.List;

/** One simple algorithm for each operation: every rank pulls its data between two barriers. */
public final class SampleAlgorithms {

  private SampleAlgorithms() {}

  /** Adds all of them. */
  public static ContextBuilder addTo(ContextBuilder builder) {
    return builder
        .algorithm(new PullAllReduce())
        .algorithm("pull", new PullReduce())
        .algorithm("pull", new PullReduceScatter())
        .algorithm("pull", new PullAllGather())
        .algorithm("pull", new PullBroadcast())
        .algorithm("pull", new PullGather())
        .algorithm("pull", new PullScatter())
        .algorithm("pull", new PullAllToAll())
        .algorithm("pull", new PullAllToAllV())
        .algorithm("pull", new PullScan())
        .algorithm("pull", new PullExclusiveScan())
        .algorithm("pull", new PullBarrier())
        .algorithm("pull", new PullSend())
        .algorithm("pull", new PullReceive());
  }

  /** A context with all of them and nothing else. */
  public static Context context() {
    return addTo(Context.builder()).open();
  }

  /** The frame: barrier, pull, barrier, and a copy from scratch for results of reductions. */
  public abstract static class Pulling<P extends OpParam> extends CollExecutorBase<P> {

    @Override
    public AlgResourceRequest calcResRequest(P param) {
      OpCommTransport mesh =
          OpCommTransport.mesh(
              param.comm(),
              CommPlane.COMBINED,
              TransportMemType.PARAM_INPUT,
              TransportMemType.PARAM_OUTPUT);
      return AlgResourceRequest.of(mesh).withScratchMemSize(param.outputBytes());
    }

    @Override
    public void orchestrate(P param, AlgResourceResponse resources) {
      SubCommInfo comm = resources.subComm(CommPlane.COMBINED);
      barrier(comm, resources.mainStream(), Link.READY);
      pull(param, resources, comm);
      barrier(comm, resources.mainStream(), Link.FIN);
      finish(param, resources);
    }

    protected abstract void pull(P param, AlgResourceResponse resources, SubCommInfo comm);

    protected void finish(P param, AlgResourceResponse resources) {}

    public static void barrier(SubCommInfo comm, Stream stream, int notify) {
      for (int peer = 0; peer < comm.localRankSize(); peer++) {
        if (peer != comm.localRank()) {
          comm.link(peer).post(stream, notify);
        }
      }
      for (int peer = 0; peer < comm.localRankSize(); peer++) {
        if (peer != comm.localRank()) {
          comm.link(peer).await(stream, notify);
        }
      }
    }

    public static DeviceMem inputOf(AlgResourceResponse resources, SubCommInfo comm, int rank) {
      return rank == comm.localRank()
          ? resources.paramInputMem()
          : comm.link(rank).remote(TransportMemType.PARAM_INPUT);
    }

    public static void copyFrom(
        AlgResourceResponse resources, SubCommInfo comm, int rank, DeviceMem dst, DeviceMem src) {
      if (rank == comm.localRank()) {
        resources.mainStream().copy(dst, src);
      } else {
        comm.link(rank).read(resources.mainStream(), dst, src);
      }
    }

    /** Reduces a part of the inputs of ranks 0 to {@code ranks - 1} into scratch. */
    public static void reduce(
        AlgResourceResponse resources,
        SubCommInfo comm,
        int ranks,
        long offset,
        DataType type,
        ReduceOp op) {
      List<DeviceMem> sources = new ArrayList<>();
      DeviceMem scratch = resources.scratchMem();
      for (int rank = 0; rank < ranks; rank++) {
        sources.add(inputOf(resources, comm, rank).slice(offset, scratch.size()));
      }
      if (sources.size() == 1) {
        copyFrom(resources, comm, 0, scratch, sources.getFirst());
      } else {
        resources.mainStream().reduceFrom(scratch, sources, type, op);
      }
    }

    public static void scratchToOutput(AlgResourceResponse resources) {
      resources.mainStream().copy(resources.paramOutputMem(), resources.scratchMem());
    }
  }

  /** All-reduce. */
  @CollAlgorithm(name = "pull", summary = "Every rank reduces all inputs")
  public static final class PullAllReduce extends Pulling<AllReduceParam> {
    @Override
    protected void pull(AllReduceParam param, AlgResourceResponse resources, SubCommInfo comm) {
      reduce(resources, comm, comm.localRankSize(), 0, param.dataType(), param.reduceOp());
    }

    @Override
    protected void finish(AllReduceParam param, AlgResourceResponse resources) {
      scratchToOutput(resources);
    }
  }

  /** Reduce. */
  public static final class PullReduce extends Pulling<ReduceParam> {
    @Override
    protected void pull(ReduceParam param, AlgResourceResponse resources, SubCommInfo comm) {
      if (comm.localRank() == param.root()) {
        reduce(resources, comm, comm.localRankSize(), 0, param.dataType(), param.reduceOp());
      }
    }

    @Override
    protected void finish(ReduceParam param, AlgResourceResponse resources) {
      scratchToOutput(resources);
    }
  }

  /** Reduce-scatter. */
  public static final class PullReduceScatter extends Pulling<ReduceScatterParam> {
    @Override
    protected void pull(ReduceScatterParam param, AlgResourceResponse resources, SubCommInfo comm) {
      long offset = comm.localRank() * param.outputBytes();
      reduce(resources, comm, comm.localRankSize(), offset, param.dataType(), param.reduceOp());
    }

    @Override
    protected void finish(ReduceScatterParam param, AlgResourceResponse resources) {
      scratchToOutput(resources);
    }
  }

  /** All-gather. */
  public static final class PullAllGather extends Pulling<AllGatherParam> {
    @Override
    protected void pull(AllGatherParam param, AlgResourceResponse resources, SubCommInfo comm) {
      long bytes = param.inputBytes();
      for (int rank = 0; rank < comm.localRankSize(); rank++) {
        DeviceMem block = resources.paramOutputMem().slice(rank * bytes, bytes);
        copyFrom(resources, comm, rank, block, inputOf(resources, comm, rank));
      }
    }
  }

  /** Broadcast. */
  public static final class PullBroadcast extends Pulling<BroadcastParam> {
    @Override
    protected void pull(BroadcastParam param, AlgResourceResponse resources, SubCommInfo comm) {
      if (comm.localRank() != param.root() || !param.inPlace()) {
        DeviceMem source = inputOf(resources, comm, param.root());
        copyFrom(resources, comm, param.root(), resources.paramOutputMem(), source);
      }
    }
  }

  /** Gather. */
  public static final class PullGather extends Pulling<GatherParam> {
    @Override
    protected void pull(GatherParam param, AlgResourceResponse resources, SubCommInfo comm) {
      long bytes = param.inputBytes();
      for (int rank = 0; comm.localRank() == param.root() && rank < comm.localRankSize(); rank++) {
        DeviceMem block = resources.paramOutputMem().slice(rank * bytes, bytes);
        copyFrom(resources, comm, rank, block, inputOf(resources, comm, rank));
      }
    }
  }

  /** Scatter. */
  public static final class PullScatter extends Pulling<ScatterParam> {
    @Override
    protected void pull(ScatterParam param, AlgResourceResponse resources, SubCommInfo comm) {
      long bytes = param.outputBytes();
      DeviceMem block =
          inputOf(resources, comm, param.root()).slice(comm.localRank() * bytes, bytes);
      copyFrom(resources, comm, param.root(), resources.paramOutputMem(), block);
    }
  }

  /** All-to-all. */
  public static final class PullAllToAll extends Pulling<AllToAllParam> {
    @Override
    protected void pull(AllToAllParam param, AlgResourceResponse resources, SubCommInfo comm) {
      long bytes = param.countPerRank() * param.dataType().size();
      for (int rank = 0; rank < comm.localRankSize(); rank++) {
        DeviceMem dst = resources.paramOutputMem().slice(rank * bytes, bytes);
        DeviceMem src = inputOf(resources, comm, rank).slice(comm.localRank() * bytes, bytes);
        copyFrom(resources, comm, rank, dst, src);
      }
    }
  }

  /** All-to-all of different sizes, which takes only what rank 0 sends. */
  public static final class PullAllToAllV extends Pulling<AllToAllVParam> {
    @Override
    protected void pull(AllToAllVParam param, AlgResourceResponse resources, SubCommInfo comm) {}
  }

  /** Inclusive scan. */
  public static final class PullScan extends Pulling<ScanParam> {
    @Override
    protected void pull(ScanParam param, AlgResourceResponse resources, SubCommInfo comm) {
      reduce(resources, comm, comm.localRank() + 1, 0, param.dataType(), param.reduceOp());
    }

    @Override
    protected void finish(ScanParam param, AlgResourceResponse resources) {
      scratchToOutput(resources);
    }
  }

  /** Exclusive scan. */
  public static final class PullExclusiveScan extends Pulling<ExclusiveScanParam> {
    @Override
    protected void pull(ExclusiveScanParam param, AlgResourceResponse resources, SubCommInfo comm) {
      if (comm.localRank() > 0) {
        reduce(resources, comm, comm.localRank(), 0, param.dataType(), param.reduceOp());
      }
    }

    @Override
    protected void finish(ExclusiveScanParam param, AlgResourceResponse resources) {
      if (param.comm().rank() > 0) {
        scratchToOutput(resources);
      }
    }
  }

  /** Barrier. */
  public static final class PullBarrier extends Pulling<BarrierParam> {
    @Override
    protected void pull(BarrierParam param, AlgResourceResponse resources, SubCommInfo comm) {}
  }

  private static OpCommTransport link(OpParam param, int peer) {
    return OpCommTransport.pairs(
        param.comm(),
        CommPlane.COMBINED,
        TransportMemType.PARAM_INPUT,
        TransportMemType.PARAM_OUTPUT,
        peer);
  }

  /** The sender's half. */
  public static final class PullSend extends CollExecutorBase<SendParam> {
    @Override
    public AlgResourceRequest calcResRequest(SendParam param) {
      return AlgResourceRequest.of(link(param, param.dstRank()));
    }

    @Override
    public void orchestrate(SendParam param, AlgResourceResponse resources) {
      Link link = resources.subComm(CommPlane.COMBINED).link(param.dstRank());
      link.post(resources.mainStream(), Link.READY);
      link.await(resources.mainStream(), Link.FIN);
    }
  }

  /** The receiver's half. */
  public static final class PullReceive extends CollExecutorBase<ReceiveParam> {
    @Override
    public AlgResourceRequest calcResRequest(ReceiveParam param) {
      return AlgResourceRequest.of(link(param, param.srcRank()));
    }

    @Override
    public void orchestrate(ReceiveParam param, AlgResourceResponse resources) {
      Link link = resources.subComm(CommPlane.COMBINED).link(param.srcRank());
      Stream stream = resources.mainStream();
      link.await(stream, Link.READY);
      link.read(stream, resources.paramOutputMem(), link.remote(TransportMemType.PARAM_INPUT));
      link.post(stream, Link.FIN);
    }
  }

  /** All-reduce over a binomial tree, for many ranks. */
  @CollAlgorithm(name = "tree", summary = "Reduce up a tree, broadcast down")
  public static final class TreeAllReduce extends CollExecutorBase<AllReduceParam> {
    @Override
    public AlgResourceRequest calcResRequest(AllReduceParam param) {
      OpCommTransport tree =
          OpCommTransport.tree(
              param.comm(),
              CommPlane.COMBINED,
              TransportMemType.SCRATCH,
              TransportMemType.PARAM_OUTPUT,
              0);
      return AlgResourceRequest.of(tree).withScratchMemSize(param.outputBytes());
    }

    @Override
    public void orchestrate(AllReduceParam param, AlgResourceResponse resources) {
      SubCommInfo comm = resources.subComm(CommPlane.COMBINED);
      Stream stream = resources.mainStream();
      DeviceMem sum = resources.scratchMem();
      stream.copy(sum, resources.paramInputMem());
      List<Link> children = new ArrayList<>();
      int rank = comm.localRank();
      for (int bit = 1; bit < comm.localRankSize() && (rank & bit) == 0; bit <<= 1) {
        if (rank + bit < comm.localRankSize()) {
          children.add(comm.link(rank + bit));
        }
      }
      for (Link child : children) {
        child.await(stream, Link.READY);
        DeviceMem part = child.remote(TransportMemType.SCRATCH);
        child.readReduce(stream, sum, part, param.dataType(), param.reduceOp());
      }
      if (rank == 0) {
        stream.copy(resources.paramOutputMem(), sum);
      } else {
        Link parent = comm.link(rank - Integer.lowestOneBit(rank));
        parent.post(stream, Link.READY);
        parent.await(stream, Link.FIN);
        DeviceMem result = parent.remote(TransportMemType.PARAM_OUTPUT);
        parent.read(stream, resources.paramOutputMem(), result);
        parent.post(stream, Link.FIN_ACK);
      }
      children.forEach(child -> child.post(stream, Link.FIN));
      children.forEach(child -> child.await(stream, Link.FIN_ACK));
    }
  }

  /** An all-reduce that does one thing wrong, or needs nothing. */
  public abstract static class Broken extends CollExecutorBase<AllReduceParam> {
    @Override
    public AlgResourceRequest calcResRequest(AllReduceParam param) {
      return AlgResourceRequest.none();
    }

    @Override
    public void orchestrate(AllReduceParam param, AlgResourceResponse resources) {}
  }

  /** Every rank copies its input, so that none waits for another. */
  public static final class Copying extends Broken {

    @Override
    public void orchestrate(AllReduceParam param, AlgResourceResponse resources) {
      resources.mainStream().copy(resources.paramOutputMem(), resources.paramInputMem());
    }
  }

  /** Waits forever, because no rank posts. */
  public static final class Deadlocking extends Pulling<AllReduceParam> {
    @Override
    protected void pull(AllReduceParam param, AlgResourceResponse resources, SubCommInfo comm) {
      comm.link((comm.localRank() + 1) % comm.localRankSize())
          .await(resources.mainStream(), Link.FIN_ACK);
    }
  }
}
