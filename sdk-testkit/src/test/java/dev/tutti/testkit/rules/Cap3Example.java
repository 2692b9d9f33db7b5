package dev.tutti.testkit.rules;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.AllGatherParam;
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
import java.time.Duration;
import java.util.List;

/** CAP-3: looks for the best chunk among all there are. */
public final class Cap3Example implements RuleExample {

  // @start region="broken"
  public static final class Broken extends NativeExecutorBase<AllGatherParam> {

    @Override
    protected OpCommTransport calcCommInfo(AllGatherParam param) {
      return OpCommTransport.mesh(
          param.comm(), CommPlane.COMBINED, inputMemType(param), outputMemType(param));
    }

    /** The chunk that costs least: a price for each, and long ones are cheaper by the byte. */
    private static long bestChunk(long bytes) {
      long best = bytes;
      double bestCost = Double.MAX_VALUE;
      for (long chunk = 1; chunk <= bytes; chunk++) {
        double cost = 1000.0 * Math.ceilDiv(bytes, chunk) + Math.pow(chunk, 0.9);
        if (cost < bestCost) {
          best = chunk;
          bestCost = cost;
        }
      }
      return best;
    }

    @Override
    protected void kernelRun(AllGatherParam param, ExecMem mem) {
      Stream main = mem.resources().mainStream();
      SubCommInfo all = mem.resources().subComm(CommPlane.COMBINED);
      main.copy(mem.outputBlock(all.localRank()), mem.input());
      for (int rank = 0; rank < all.localRankSize(); rank++) {
        if (rank == all.localRank()) {
          continue;
        }
        Link peer = all.link(rank);
        DeviceMem theirs = mem.outputBlock(peer.remoteUserRank());
        peer.post(main, Link.READY);
        peer.await(main, Link.READY);
        long chunk = bestChunk(theirs.size());
        for (long done = 0; done < theirs.size(); done += chunk) {
          long bytes = Math.min(chunk, theirs.size() - done);
          peer.read(main, theirs.slice(done, bytes), peer.remote(mem.input()).slice(done, bytes));
        }
        peer.dataReceivedAck(main);
      }
    }
  }

  // @end

  // @start region="correct"
  public static final class Correct extends NativeExecutorBase<AllGatherParam> {

    @Override
    protected OpCommTransport calcCommInfo(AllGatherParam param) {
      return OpCommTransport.mesh(
          param.comm(), CommPlane.COMBINED, inputMemType(param), outputMemType(param));
    }

    /** The chunk that costs least: a price for each, and long ones are cheaper by the byte. */
    private static long bestChunk(long bytes) {
      long best = bytes;
      double bestCost = Double.MAX_VALUE;
      for (long chunk = 1; chunk <= bytes; chunk *= 2) {
        double cost = 1000.0 * Math.ceilDiv(bytes, chunk) + Math.pow(chunk, 0.9);
        if (cost < bestCost) {
          best = chunk;
          bestCost = cost;
        }
      }
      return best;
    }

    @Override
    protected void kernelRun(AllGatherParam param, ExecMem mem) {
      Stream main = mem.resources().mainStream();
      SubCommInfo all = mem.resources().subComm(CommPlane.COMBINED);
      main.copy(mem.outputBlock(all.localRank()), mem.input());
      for (int rank = 0; rank < all.localRankSize(); rank++) {
        if (rank == all.localRank()) {
          continue;
        }
        Link peer = all.link(rank);
        DeviceMem theirs = mem.outputBlock(peer.remoteUserRank());
        peer.post(main, Link.READY);
        peer.await(main, Link.READY);
        long chunk = bestChunk(theirs.size());
        for (long done = 0; done < theirs.size(); done += chunk) {
          long bytes = Math.min(chunk, theirs.size() - done);
          peer.read(main, theirs.slice(done, bytes), peer.remote(mem.input()).slice(done, bytes));
        }
        peer.dataReceivedAck(main);
      }
    }
  }

  // @end

  // @start region="check"
  private static List<Finding> check(CollExecutorBase<AllGatherParam> executor, int ranks) {
    VirtualCluster cluster =
        VirtualCluster.builder(Topology.flat(ranks))
            .planningLimit(Duration.ofMillis(300))
            .staticOnly()
            .shrink(false)
            .build();
    return cluster
        .check(executor, new AllGatherParam(cluster.comm(), DataType.INT32, 25_000_000))
        .findings();
  }

  // @end

  @Override
  public Rule rule() {
    return Rule.PLANNING_TOO_LONG;
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
