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

/** SYN-3: the last acknowledgement is sent and never fetched. */
public final class Syn3Example extends RuleExample<AllGatherParam> {

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
          if (half.offset() > 0) {
            peer.await(main, Link.FIN_ACK);
          }
          peer.write(main, peer.remote(mine.slice(half)), mem.input().slice(half));
          peer.post(main, Link.FIN);
          peer.await(main, Link.FIN);
          peer.post(main, Link.FIN_ACK);
        }
        finish(main, peer);
      }
    }

    /** Awaits the acknowledgement of the last half. */
    protected void finish(Stream main, Link peer) {
      peer.await(main, Link.FIN_ACK);
    }
  }

  // @end

  // @start region="broken"
  public static final class Broken extends Correct {

    @Override
    protected void finish(Stream main, Link peer) {
      // The acknowledgement is never awaited.
    }
  }

  // @end

  public Syn3Example() {
    super(Rule.LEFT_OVER_NOTIFY, 2, Broken::new, Correct::new);
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
