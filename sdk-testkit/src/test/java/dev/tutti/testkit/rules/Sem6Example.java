package dev.tutti.testkit.rules;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.param.BarrierParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.testkit.VirtualCluster;
import dev.tutti.testkit.rule.Finding;
import dev.tutti.testkit.rule.Rule;
import java.util.List;

/** SEM-6: a barrier in which every rank hears of two ranks on either side only. */
public final class Sem6Example implements RuleExample {

  // @start region="broken"
  public static final class Broken extends CollExecutorBase<BarrierParam> {

    @Override
    public AlgResourceRequest calcResRequest(BarrierParam param) {
      return AlgResourceRequest.of(
          OpCommTransport.ring(
              param.comm(),
              CommPlane.COMBINED,
              TransportMemType.CCL_INPUT,
              TransportMemType.CCL_OUTPUT));
    }

    @Override
    public void orchestrate(BarrierParam param, AlgResourceResponse res) {
      SubCommInfo comm = res.subComm(CommPlane.COMBINED);
      exchange(res.mainStream(), comm, Link.READY);
      exchange(res.mainStream(), comm, Link.FIN);
    }

    private static void exchange(Stream main, SubCommInfo comm, int notify) {
      comm.right().post(main, notify);
      // Of two ranks, the left one is the right one.
      if (comm.localRankSize() > 2) {
        comm.left().post(main, notify);
        comm.left().await(main, notify);
      }
      comm.right().await(main, notify);
    }
  }

  // @end

  // @start region="correct"
  public static final class Correct extends CollExecutorBase<BarrierParam> {

    @Override
    public AlgResourceRequest calcResRequest(BarrierParam param) {
      return AlgResourceRequest.of(
          OpCommTransport.ring(
              param.comm(),
              CommPlane.COMBINED,
              TransportMemType.CCL_INPUT,
              TransportMemType.CCL_OUTPUT));
    }

    @Override
    public void orchestrate(BarrierParam param, AlgResourceResponse res) {
      SubCommInfo comm = res.subComm(CommPlane.COMBINED);
      for (int heard = 0; heard < comm.localRankSize() / 2; heard += 2) {
        exchange(res.mainStream(), comm, Link.READY);
        exchange(res.mainStream(), comm, Link.FIN);
      }
    }

    private static void exchange(Stream main, SubCommInfo comm, int notify) {
      comm.right().post(main, notify);
      // Of two ranks, the left one is the right one.
      if (comm.localRankSize() > 2) {
        comm.left().post(main, notify);
        comm.left().await(main, notify);
      }
      comm.right().await(main, notify);
    }
  }

  // @end

  // @start region="check"
  private static List<Finding> check(CollExecutorBase<BarrierParam> executor, int ranks) {
    VirtualCluster cluster = VirtualCluster.builder(Topology.flat(ranks)).build();
    return cluster.check(executor, new BarrierParam(cluster.comm())).findings();
  }

  // @end

  @Override
  public Rule rule() {
    return Rule.BARRIER_INCOMPLETE;
  }

  @Override
  public int ranks() {
    return 6;
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
