package dev.tutti.testkit.rules;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.param.ReduceScatterParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.testkit.VirtualCluster;
import dev.tutti.testkit.rule.Finding;
import dev.tutti.testkit.rule.Rule;
import java.util.List;

/** SEM-3: adds to an output that holds nothing yet. */
public final class Sem3Example implements RuleExample {

  // @start region="broken"
  public static final class Broken extends NativeExecutorBase<ReduceScatterParam> {

    @Override
    protected OpCommTransport calcCommInfo(ReduceScatterParam param) {
      return OpCommTransport.mesh(
          param.comm(), CommPlane.COMBINED, inputMemType(param), outputMemType(param));
    }

    @Override
    protected void kernelRun(ReduceScatterParam param, ExecMem mem) {
      Stream main = mem.resources().mainStream();
      SubCommInfo all = mem.resources().subComm(CommPlane.COMBINED);
      DeviceMem mine = mem.inputBlock(all.localRank());
      for (int rank = 0; rank < all.localRankSize(); rank++) {
        if (rank == all.localRank()) {
          continue;
        }
        Link peer = all.link(rank);
        peer.post(main, Link.READY);
        peer.await(main, Link.READY);
        peer.readReduce(main, mem.output(), peer.remote(mine), param.dataType(), param.reduceOp());
        main.reduce(mem.output(), mine, param.dataType(), param.reduceOp());
        peer.dataReceivedAck(main);
      }
    }
  }

  // @end

  // @start region="correct"
  public static final class Correct extends NativeExecutorBase<ReduceScatterParam> {

    @Override
    protected OpCommTransport calcCommInfo(ReduceScatterParam param) {
      return OpCommTransport.mesh(
          param.comm(), CommPlane.COMBINED, inputMemType(param), outputMemType(param));
    }

    @Override
    protected void kernelRun(ReduceScatterParam param, ExecMem mem) {
      Stream main = mem.resources().mainStream();
      SubCommInfo all = mem.resources().subComm(CommPlane.COMBINED);
      DeviceMem mine = mem.inputBlock(all.localRank());
      main.copy(mem.output(), mine);
      for (int rank = 0; rank < all.localRankSize(); rank++) {
        if (rank == all.localRank()) {
          continue;
        }
        Link peer = all.link(rank);
        peer.post(main, Link.READY);
        peer.await(main, Link.READY);
        peer.readReduce(main, mem.output(), peer.remote(mine), param.dataType(), param.reduceOp());
        peer.dataReceivedAck(main);
      }
    }
  }

  // @end

  // @start region="check"
  private static List<Finding> check(CollExecutorBase<ReduceScatterParam> executor, int ranks) {
    VirtualCluster cluster = VirtualCluster.builder(Topology.flat(ranks)).build();
    return cluster
        .check(executor, new ReduceScatterParam(cluster.comm(), DataType.INT32, ReduceOp.SUM, 10))
        .findings();
  }

  // @end

  @Override
  public Rule rule() {
    return Rule.UNDEFINED_READ;
  }

  @Override
  public int ranks() {
    return 2;
  }

  @Override
  public List<Finding> broken() {
    return check(new Broken(), ranks());
  }

  @Override
  public List<Finding> correct(int ranks) {
    return check(new Correct(), ranks);
  }
}
