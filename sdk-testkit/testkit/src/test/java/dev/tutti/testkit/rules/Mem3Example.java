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

/** MEM-3: chunks of equal size, though the last one is shorter. */
public final class Mem3Example extends RuleExample<AllGatherParam> {

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
        for (long done = 0; done < theirs.size(); done += 16) {
          long bytes = next(theirs.size() - done);
          peer.read(main, theirs.slice(done, bytes), peer.remote(mem.input()).slice(done, bytes));
        }
        peer.dataReceivedAck(main);
      }
    }

    /** The length of the next chunk, in bytes. */
    protected long next(long left) {
      return Math.min(16, left);
    }
  }

  // @end

  // @start region="broken"
  public static final class Broken extends Correct {

    @Override
    protected long next(long left) {
      return 16;
    }
  }

  // @end

  public Mem3Example() {
    super(Rule.BOUNDS, 2, Broken::new, Correct::new);
  }

  @Override
  List<Finding> check(CollExecutorBase<AllGatherParam> executor, int ranks) {
    // @start region="check"
    VirtualCluster cluster = VirtualCluster.builder(Topology.flat(ranks)).build();
    return cluster
        .check(executor, new AllGatherParam(cluster.comm(), DataType.INT32, 10))
        .findings();
    // @end
  }
}
