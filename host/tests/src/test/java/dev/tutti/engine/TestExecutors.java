package dev.tutti.engine;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import java.util.ArrayList;
import java.util.List;

/** Small algorithms that give the engine plans of different shapes. */
public final class TestExecutors {

  private TestExecutors() {}

  /** An all-reduce that requests all links and the slave streams that a subclass needs. */
  public abstract static class MeshExecutor extends CollExecutorBase<AllReduceParam> {

    private final int slaves;

    MeshExecutor(int slaves) {
      this.slaves = slaves;
    }

    @Override
    public AlgResourceRequest calcResRequest(AllReduceParam param) {
      return AlgResourceRequest.of(
              OpCommTransport.mesh(
                  param.comm(),
                  CommPlane.COMBINED,
                  TransportMemType.PARAM_INPUT,
                  TransportMemType.PARAM_OUTPUT))
          .withStreamNum(slaves);
    }

    /** Posts a notify to all other ranks, and awaits theirs. */
    static void meet(SubCommInfo comm, Stream stream, int notify) {
      postAll(comm, stream, notify);
      awaitAll(comm, stream, notify);
    }

    static void postAll(SubCommInfo comm, Stream stream, int notify) {
      for (int peer = 0; peer < comm.localRankSize(); peer++) {
        if (peer != comm.localRank()) {
          comm.link(peer).post(stream, notify);
        }
      }
    }

    static void awaitAll(SubCommInfo comm, Stream stream, int notify) {
      for (int peer = 0; peer < comm.localRankSize(); peer++) {
        if (peer != comm.localRank()) {
          comm.link(peer).await(stream, notify);
        }
      }
    }

    /** The inputs of all ranks. */
    static List<DeviceMem> inputs(AlgResourceResponse resources, SubCommInfo comm) {
      List<DeviceMem> inputs = new ArrayList<>();
      for (int rank = 0; rank < comm.localRankSize(); rank++) {
        inputs.add(
            rank == comm.localRank()
                ? resources.paramInputMem()
                : comm.link(rank).remote(TransportMemType.PARAM_INPUT));
      }
      return inputs;
    }
  }

  /** Each rank reduces one slice of all inputs and pushes it to all. */
  public static final class TwoStage extends MeshExecutor {
    public TwoStage() {
      super(0);
    }

    @Override
    public void orchestrate(AllReduceParam param, AlgResourceResponse resources) {
      SubCommInfo comm = resources.subComm(CommPlane.COMBINED);
      Stream main = resources.mainStream();
      Slice slice =
          Slice.partition(param.count(), comm.localRankSize(), param.dataType().size())
              .get(comm.localRank());
      List<DeviceMem> sources =
          inputs(resources, comm).stream().map(each -> each.slice(slice)).toList();
      meet(comm, main, Link.READY);
      DeviceMem result = resources.paramOutputMem().slice(slice);
      if (sources.size() == 1) {
        main.copy(result, sources.getFirst());
        return;
      }
      main.reduceFrom(result, sources, param.dataType(), param.reduceOp());
      for (int peer = 0; peer < comm.localRankSize(); peer++) {
        if (peer != comm.localRank()) {
          Link link = comm.link(peer);
          link.write(main, link.remote(TransportMemType.PARAM_OUTPUT).slice(slice), result);
        }
      }
      meet(comm, main, Link.FIN);
    }
  }

  /** Each rank adds up all inputs, and does not signal when it has read them. */
  public static final class Unclosed extends MeshExecutor {
    public Unclosed() {
      super(0);
    }

    @Override
    public void orchestrate(AllReduceParam param, AlgResourceResponse resources) {
      SubCommInfo comm = resources.subComm(CommPlane.COMBINED);
      Stream main = resources.mainStream();
      List<DeviceMem> sources = inputs(resources, comm);
      meet(comm, main, Link.READY);
      if (sources.size() == 1) {
        main.copy(resources.paramOutputMem(), sources.getFirst());
      } else {
        main.reduceFrom(resources.paramOutputMem(), sources, param.dataType(), param.reduceOp());
      }
    }
  }

  /** Each rank computes the maxima of one half of all inputs, and adds up the other half. */
  public static final class MaximaAndSums extends MeshExecutor {
    public MaximaAndSums() {
      super(0);
    }

    @Override
    public void orchestrate(AllReduceParam param, AlgResourceResponse resources) {
      SubCommInfo comm = resources.subComm(CommPlane.COMBINED);
      Stream main = resources.mainStream();
      meet(comm, main, Link.READY);
      List<Slice> halves = Slice.partition(param.count(), 2, param.dataType().size());
      for (int half = 0; half < 2; half++) {
        Slice slice = halves.get(half);
        main.reduceFrom(
            resources.paramOutputMem().slice(slice),
            inputs(resources, comm).stream().map(each -> each.slice(slice)).toList(),
            param.dataType(),
            half == 0 ? ReduceOp.MAX : ReduceOp.SUM);
      }
      meet(comm, main, Link.FIN);
    }
  }

  /** Rank 0 collects one input after the other on slave streams, then hands out the result. */
  public static final class Star extends MeshExecutor {
    public Star() {
      super(1);
    }

    @Override
    public void orchestrate(AllReduceParam param, AlgResourceResponse resources) {
      SubCommInfo comm = resources.subComm(CommPlane.COMBINED);
      Stream main = resources.mainStream();
      Stream slave = resources.slaveStreams().getFirst();
      DeviceMem output = resources.paramOutputMem();
      main.fork(List.of(slave));
      if (comm.localRank() == 0) {
        slave.copy(output, resources.paramInputMem());
        for (int peer = 1; peer < comm.localRankSize(); peer++) {
          Link link = comm.link(peer);
          link.await(slave, Link.READY);
          link.readReduce(
              slave,
              output,
              link.remote(TransportMemType.PARAM_INPUT),
              param.dataType(),
              param.reduceOp());
        }
        for (int peer = 1; peer < comm.localRankSize(); peer++) {
          Link link = comm.link(peer);
          link.write(slave, link.remote(TransportMemType.PARAM_OUTPUT), output);
          link.post(slave, Link.FIN);
        }
      } else {
        comm.link(0).post(slave, Link.READY);
        comm.link(0).await(slave, Link.FIN);
      }
      main.join(List.of(slave));
    }
  }

  /** Every rank waits for a signal that it would itself only send later. */
  static final class Deadlocking extends MeshExecutor {
    Deadlocking() {
      super(0);
    }

    @Override
    public void orchestrate(AllReduceParam param, AlgResourceResponse resources) {
      SubCommInfo comm = resources.subComm(CommPlane.COMBINED);
      int right = (comm.localRank() + 1) % comm.localRankSize();
      int left = (comm.localRank() + comm.localRankSize() - 1) % comm.localRankSize();
      comm.link(left).await(resources.mainStream(), Link.FIN);
      comm.link(right).post(resources.mainStream(), Link.FIN);
    }
  }

  /** Rank 0 waits for a signal that no rank sends. */
  static final class Forgetful extends MeshExecutor {
    Forgetful() {
      super(0);
    }

    @Override
    public void orchestrate(AllReduceParam param, AlgResourceResponse resources) {
      if (param.comm().rank() == 0) {
        resources.subComm(CommPlane.COMBINED).link(1).await(resources.mainStream(), Link.FIN);
      }
    }
  }
}
