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
import java.util.List;

/** CAP-4: one action for each element. */
public final class Cap4Example extends RuleExample<AllGatherParam> {

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
        long chunk = chunk(theirs.size(), param.dataType().size());
        for (long done = 0; done < theirs.size(); done += chunk) {
          long bytes = Math.min(chunk, theirs.size() - done);
          peer.read(main, theirs.slice(done, bytes), peer.remote(mem.input()).slice(done, bytes));
        }
        peer.dataReceivedAck(main);
      }
    }

    /** The length of a chunk, in bytes. */
    protected long chunk(long bytes, int elementBytes) {
      return Math.max(elementBytes, bytes / 64);
    }
  }

  // @end

  // @start region="broken"
  public static final class Broken extends Correct {

    @Override
    protected long chunk(long bytes, int elementBytes) {
      return elementBytes;
    }
  }

  // @end

  public Cap4Example() {
    super(Rule.PLANNING_TOO_LARGE, 2, Broken::new, Correct::new);
  }

  @Override
  List<Finding> check(CollExecutorBase<AllGatherParam> executor, int ranks) {
    // @start region="check"
    VirtualCluster cluster =
        VirtualCluster.builder(Topology.flat(ranks)).maxActions(10_000).build();
    return cluster
        .check(executor, new AllGatherParam(cluster.comm(), DataType.INT32, 100000))
        .findings();
    // @end
  }
}
