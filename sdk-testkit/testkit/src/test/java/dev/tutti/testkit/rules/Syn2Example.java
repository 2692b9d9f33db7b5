package dev.tutti.testkit.rules;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.param.AllGatherParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Rule;
import java.util.List;

/** SYN-2: the second half is announced while the first may not have been noticed. */
public final class Syn2Example extends RuleExample<AllGatherParam> {

  // @start region="correct"
  public static class Correct extends MeshExecutor<AllGatherParam> {

    @Override
    protected void kernelRun(AllGatherParam param, ExecMem mem) {
      Stream main = mem.resources().mainStream();
      DeviceMem mine = mem.outputBlock(param.comm().rank());
      main.copy(mine, mem.input());
      for (Link peer : peers(mem)) {
        peer.post(main, Link.READY);
        peer.await(main, Link.READY);
        for (Slice half : Slice.partition(mem.count(), 2, param.dataType().size())) {
          peer.write(main, peer.remote(mine.slice(half)), mem.input().slice(half));
          peer.post(main, Link.FIN);
          peer.await(main, Link.FIN);
          acknowledge(main, peer);
        }
      }
    }

    /** Ends a half: both ranks acknowledge the other's announcement. */
    protected void acknowledge(Stream main, Link peer) {
      peer.dataReceivedAck(main);
    }
  }

  // @end

  // @start region="broken"
  public static final class Broken extends Correct {

    @Override
    protected void acknowledge(Stream main, Link peer) {
      // The next half begins without an acknowledgement.
    }
  }

  // @end

  public Syn2Example() {
    super(Rule.LOST_NOTIFY, 2, Broken::new, Correct::new);
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
