package dev.tutti.testkit.rules;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.GatherParam;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Rule;
import java.util.List;

/** LNK-1: leaves that ask for a link to rank 0, whoever is the root. */
public final class Lnk1Example extends RuleExample<GatherParam> {

  // @start region="correct"
  public static class Correct extends NativeExecutorBase<GatherParam> {

    @Override
    protected OpCommTransport calcCommInfo(GatherParam param) {
      TransportMemType input = inputMemType(param);
      TransportMemType output = outputMemType(param);
      return param.comm().rank() == param.root()
          ? OpCommTransport.mesh(param.comm(), CommPlane.COMBINED, input, output)
          : OpCommTransport.pairs(param.comm(), CommPlane.COMBINED, input, output, root(param));
    }

    @Override
    protected void kernelRun(GatherParam param, ExecMem mem) {
      Stream main = mem.resources().mainStream();
      if (param.comm().rank() == param.root()) {
        main.copy(mem.outputBlock(param.root()), mem.input());
        for (Link leaf : MeshExecutor.peers(mem)) {
          leaf.await(main, Link.READY);
          leaf.read(main, mem.outputBlock(leaf.remoteUserRank()), leaf.remote(mem.input()));
          leaf.post(main, Link.FIN);
        }
      } else {
        Link root = mem.resources().subComm(CommPlane.COMBINED).link(param.root());
        root.post(main, Link.READY);
        root.await(main, Link.FIN);
      }
    }

    /** The rank that a leaf asks for a link to. */
    protected int root(GatherParam param) {
      return param.root();
    }
  }

  // @end

  // @start region="broken"
  public static final class Broken extends Correct {

    @Override
    protected int root(GatherParam param) {
      return 0;
    }
  }

  // @end

  public Lnk1Example() {
    super(Rule.LINK_MISMATCH, 3, Broken::new, Correct::new);
  }

  @Override
  List<Finding> check(CollExecutorBase<GatherParam> executor, int ranks) {
    // @start region="check"
    VirtualCluster cluster = VirtualCluster.builder(Topology.flat(ranks)).build();
    return cluster
        .check(executor, new GatherParam(cluster.comm(), DataType.INT32, 10, ranks / 2))
        .findings();
    // @end
  }
}
