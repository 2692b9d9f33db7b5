package dev.tutti.testkit.rules;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.BroadcastParam;
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

/** SEQ-1: the next operation overwrites the staging buffer while a slow rank copies out of it. */
public final class Seq1Example extends RuleExample<BroadcastParam> {

  // @start region="correct"
  public static class Correct extends NativeExecutorBase<BroadcastParam> {

    @Override
    protected OpCommTransport calcCommInfo(BroadcastParam param) {
      TransportMemType input = inputMemType(param);
      TransportMemType output = outputMemType(param);
      return param.comm().rank() == param.root()
          ? OpCommTransport.mesh(param.comm(), CommPlane.COMBINED, input, output)
          : OpCommTransport.pairs(param.comm(), CommPlane.COMBINED, input, output, param.root());
    }

    @Override
    protected void kernelRun(BroadcastParam param, ExecMem mem) {
      Stream main = mem.resources().mainStream();
      if (param.comm().rank() == param.root()) {
        for (Link leaf : MeshExecutor.peers(mem)) {
          send(main, leaf, mem);
        }
        main.copy(mem.output(), mem.input());
      } else {
        receive(main, mem.resources().subComm(CommPlane.COMBINED).link(param.root()));
      }
    }

    /** Writes the data to a leaf that is ready. */
    protected void send(Stream main, Link leaf, ExecMem mem) {
      leaf.await(main, Link.READY);
      leaf.write(main, leaf.remote(mem.output()), mem.input());
      leaf.post(main, Link.FIN);
    }

    /** Waits for the data of the root. */
    protected void receive(Stream main, Link root) {
      root.post(main, Link.READY);
      root.await(main, Link.FIN);
    }
  }

  // @end

  // @start region="broken"
  public static final class Broken extends Correct {

    @Override
    protected void send(Stream main, Link leaf, ExecMem mem) {
      leaf.write(main, leaf.remote(mem.output()), mem.input());
      leaf.post(main, Link.FIN);
      leaf.await(main, Link.FIN_ACK);
    }

    @Override
    protected void receive(Stream main, Link root) {
      root.await(main, Link.FIN);
      root.post(main, Link.FIN_ACK);
    }
  }

  // @end

  public Seq1Example() {
    super(Rule.SEQUENCE_RACE, 2, Broken::new, Correct::new);
  }

  @Override
  List<Finding> check(CollExecutorBase<BroadcastParam> executor, int ranks) {
    // @start region="check"
    VirtualCluster cluster =
        VirtualCluster.builder(Topology.flat(ranks)).mode(WorkflowMode.OP_BASE).build();
    return cluster
        .check(executor, new BroadcastParam(cluster.comm(), DataType.INT32, 10, 0))
        .findings();
    // @end
  }
}
