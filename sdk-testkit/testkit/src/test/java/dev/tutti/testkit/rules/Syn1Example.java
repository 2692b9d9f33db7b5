package dev.tutti.testkit.rules;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.BarrierParam;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Rule;
import java.util.List;
import java.util.stream.IntStream;

/** SYN-1: a dissemination barrier in which everybody listens before speaking. */
public final class Syn1Example extends RuleExample<BarrierParam> {

  // @start region="correct"
  public static class Correct extends NativeExecutorBase<BarrierParam> {

    @Override
    protected OpCommTransport calcCommInfo(BarrierParam param) {
      int rank = param.comm().rank();
      int ranks = param.comm().rankSize();
      int[] peers =
          IntStream.iterate(1, distance -> distance < ranks, distance -> 2 * distance)
              .flatMap(each -> IntStream.of((rank + each) % ranks, (rank + ranks - each) % ranks))
              .distinct()
              .toArray();
      return OpCommTransport.pairs(
          param.comm(), CommPlane.COMBINED, inputMemType(param), outputMemType(param), peers);
    }

    @Override
    protected void kernelRun(BarrierParam param, ExecMem mem) {
      SubCommInfo all = mem.resources().subComm(CommPlane.COMBINED);
      Stream main = mem.resources().mainStream();
      int ranks = all.localRankSize();
      for (int distance = 1; distance < ranks; distance *= 2) {
        Link to = all.link((all.localRank() + distance) % ranks);
        Link from = all.link((all.localRank() + ranks - distance) % ranks);
        signal(main, to, from);
        acknowledge(main, to, from);
      }
    }

    /** Signals the successor of this step, and awaits the predecessor's signal. */
    protected void signal(Stream main, Link to, Link from) {
      to.post(main, Link.READY);
      from.await(main, Link.READY);
    }

    /** Ends a step: acknowledges the predecessor, and awaits the successor's acknowledgement. */
    protected void acknowledge(Stream main, Link to, Link from) {
      from.post(main, Link.FIN_ACK);
      to.await(main, Link.FIN_ACK);
    }
  }

  // @end

  // @start region="broken"
  public static final class Broken extends Correct {

    @Override
    protected void signal(Stream main, Link to, Link from) {
      from.await(main, Link.READY);
      to.post(main, Link.READY);
    }
  }

  // @end

  public Syn1Example() {
    super(Rule.DEADLOCK, 3, Broken::new, Correct::new);
  }

  @Override
  List<Finding> check(CollExecutorBase<BarrierParam> executor, int ranks) {
    // @start region="check"
    VirtualCluster cluster = VirtualCluster.builder(Topology.flat(ranks)).build();
    return cluster.check(executor, new BarrierParam(cluster.comm())).findings();
    // @end
  }
}
