package dev.tutti.testkit.rules;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.AllGatherParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Rule;
import java.util.List;

/** SYN-4: two streams await one notify of one link. */
public final class Syn4Example extends RuleExample<AllGatherParam> {

  // @start region="correct"
  public static class Correct extends NativeExecutorBase<AllGatherParam> {

    @Override
    protected int calcStreamNum(AllGatherParam param) {
      return param.comm().rankSize() > 1 ? 2 : 0;
    }

    @Override
    protected OpCommTransport calcCommInfo(AllGatherParam param) {
      return OpCommTransport.builder(param.comm())
          .notifyNum(ready(1) + 1)
          .mesh(CommPlane.COMBINED, inputMemType(param), outputMemType(param))
          .build();
    }

    @Override
    protected void kernelRun(AllGatherParam param, ExecMem mem) {
      Stream main = mem.resources().mainStream();
      List<Stream> slaves = mem.resources().slaveStreams();
      main.copy(mem.outputBlock(param.comm().rank()), mem.input());
      main.fork(slaves);
      List<Slice> halves = Slice.partition(mem.count(), 2, param.dataType().size());
      for (Link peer : MeshExecutor.peers(mem)) {
        DeviceMem theirs = mem.outputBlock(peer.remoteUserRank());
        for (int i = 0; i < 2; i++) {
          Slice half = halves.get(i);
          Stream slave = slaves.get(i);
          peer.post(main, ready(i));
          peer.await(slave, ready(i));
          peer.read(slave, theirs.slice(half), peer.remote(mem.input()).slice(half));
          peer.post(slave, Link.FIN);
          peer.await(main, Link.FIN);
        }
      }
      main.join(slaves);
    }

    /** The notify that announces a half. */
    protected int ready(int half) {
      return Link.PAIRED_NOTIFIES + half;
    }
  }

  // @end

  // @start region="broken"
  public static final class Broken extends Correct {

    @Override
    protected int ready(int half) {
      return Link.PAIRED_NOTIFIES;
    }
  }

  // @end

  public Syn4Example() {
    super(Rule.STOLEN_NOTIFY, 2, Broken::new, Correct::new);
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
