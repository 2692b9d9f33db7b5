package dev.tutti.testkit.rules;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.param.AllGatherParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Rule;
import java.time.Duration;
import java.util.List;

/** CAP-3: looks for the best chunk among all there are. */
public final class Cap3Example extends RuleExample<AllGatherParam> {

  // @start region="correct"
  public static class Correct extends MeshExecutor<AllGatherParam> {

    @Override
    protected void kernelRun(AllGatherParam param, ExecMem mem) {
      Stream main = mem.resources().mainStream();
      main.copy(mem.outputBlock(param.comm().rank()), mem.input());
      for (Link peer : peers(mem)) {
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

    /** The cheapest length: each chunk has a price, and long ones cost less by the byte. */
    private long bestChunk(long bytes) {
      long best = bytes;
      double bestCost = Double.MAX_VALUE;
      long growth = growth();
      for (long chunk = 1; chunk <= bytes; chunk = Math.max(chunk + 1, growth * chunk)) {
        double cost = 1000.0 * Math.ceilDiv(bytes, chunk) + Math.pow(chunk, 0.9);
        if (cost < bestCost) {
          best = chunk;
          bestCost = cost;
        }
      }
      return best;
    }

    /** The factor from one length to the next; a length grows by one byte at least. */
    protected long growth() {
      return 2;
    }
  }

  // @end

  // @start region="broken"
  public static final class Broken extends Correct {

    @Override
    protected long growth() {
      return 1;
    }
  }

  // @end

  public Cap3Example() {
    super(Rule.PLANNING_TOO_LONG, 2, Broken::new, Correct::new);
  }

  @Override
  List<Finding> check(CollExecutorBase<AllGatherParam> executor, int ranks) {
    // @start region="check"
    VirtualCluster cluster =
        VirtualCluster.builder(Topology.flat(ranks))
            .planningLimit(Duration.ofMillis(300))
            .staticOnly()
            .shrink(false)
            .build();
    return cluster
        .check(executor, new AllGatherParam(cluster.comm(), DataType.INT32, 25_000_000))
        .findings();
    // @end
  }
}
