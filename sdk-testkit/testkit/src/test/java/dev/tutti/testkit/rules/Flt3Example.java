package dev.tutti.testkit.rules;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.BroadcastParam;
import dev.tutti.sdk.resource.DeviceMem;
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

/** FLT-3: a sender in the background writes to ranks that have given up. */
public final class Flt3Example extends RuleExample<BroadcastParam> {

  // @start region="correct"
  public static class Correct extends NativeExecutorBase<BroadcastParam> {

    @Override
    protected int calcStreamNum(BroadcastParam param) {
      return param.comm().rank() == param.root() && param.comm().rankSize() > 1 ? 1 : 0;
    }

    @Override
    protected OpCommTransport calcCommInfo(BroadcastParam param) {
      TransportMemType input = TransportMemType.CCL_INPUT;
      TransportMemType output = outputMemType(param);
      return param.comm().rank() == param.root()
          ? OpCommTransport.mesh(param.comm(), CommPlane.COMBINED, input, output)
          : OpCommTransport.pairs(param.comm(), CommPlane.COMBINED, input, output, param.root());
    }

    @Override
    protected void kernelRun(BroadcastParam param, ExecMem mem) {
      Stream main = mem.resources().mainStream();
      if (param.comm().rank() != param.root()) {
        Link root = mem.resources().subComm(CommPlane.COMBINED).link(param.root());
        root.post(main, Link.READY);
        root.await(main, Link.FIN);
        return;
      }
      if (!mem.inPlace()) {
        main.copy(mem.output(), mem.input());
      }
      List<Stream> slaves = mem.resources().slaveStreams();
      if (slaves.isEmpty()) {
        return;
      }
      DeviceMem staged = mem.resources().cclInputMem().slice(0, mem.input().size());
      main.copy(staged, mem.input());
      main.fork(slaves);
      for (Link leaf : MeshExecutor.peers(mem)) {
        leaf.await(slaves.getFirst(), Link.READY);
        leaf.write(slaves.getFirst(), leaf.remote(mem.output()), staged);
        leaf.post(slaves.getFirst(), Link.FIN);
      }
      finish(main, slaves);
    }

    /** Waits until the slave stream has done its work. */
    protected void finish(Stream main, List<Stream> slaves) {
      main.join(slaves);
    }
  }

  // @end

  // @start region="broken"
  public static final class Broken extends Correct {

    @Override
    protected void finish(Stream main, List<Stream> slaves) {
      // The slave stream continues on its own.
    }
  }

  // @end

  public Flt3Example() {
    super(Rule.TOUCHED_AFTER_FAILURE, 2, Broken::new, Correct::new);
  }

  @Override
  List<Finding> check(CollExecutorBase<BroadcastParam> executor, int ranks) {
    // @start region="check"
    VirtualCluster cluster =
        VirtualCluster.builder(Topology.flat(ranks))
            .without(Rule.NOT_JOINED, Rule.SEQUENCE_RACE, Rule.SEQUENCE_NOTIFY, Rule.NO_DIAGNOSIS)
            .staticOnly()
            .faults(1000)
            .build();
    return cluster
        .check(executor, new BroadcastParam(cluster.comm(), DataType.INT32, 10, 0))
        .findings();
    // @end
  }
}
