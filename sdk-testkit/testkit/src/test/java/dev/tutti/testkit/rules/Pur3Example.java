package dev.tutti.testkit.rules;

import dev.tutti.sdk.AlgParameter;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.param.AllGatherParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.testkit.calls.CallReport;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.matrix.CollectiveCase;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Rule;
import java.util.List;

/** PUR-3: a setting that comes from the process instead of the request. */
public final class Pur3Example extends RuleExample<AllGatherParam> {

  // @start region="correct"
  public static class Correct extends MeshExecutor<AllGatherParam> {

    private static final AlgParameter<Long> CHUNKS =
        AlgParameter.integer("chunks", "pieces a block is read in", 1, 1, 64);

    @Override
    public List<AlgParameter<?>> parameters() {
      return List.of(CHUNKS);
    }

    @Override
    protected void kernelRun(AllGatherParam param, ExecMem mem) {
      Stream main = mem.resources().mainStream();
      main.copy(mem.outputBlock(param.comm().rank()), mem.input());
      for (Link peer : peers(mem)) {
        DeviceMem theirs = mem.outputBlock(peer.remoteUserRank());
        peer.post(main, Link.READY);
        peer.await(main, Link.READY);
        int chunks = Math.toIntExact(chunks(param));
        for (Slice chunk : Slice.partition(mem.count(), chunks, param.dataType().size())) {
          peer.read(main, theirs.slice(chunk), peer.remote(mem.input()).slice(chunk));
        }
        peer.dataReceivedAck(main);
      }
    }

    /** The number of pieces in which a rank reads a block. */
    protected long chunks(AllGatherParam param) {
      return CHUNKS.in(param.options());
    }
  }

  // @end

  // @start region="broken"
  public static final class Broken extends Correct {

    @Override
    protected long chunks(AllGatherParam param) {
      return Integer.getInteger("allgather.chunks", 1);
    }
  }

  // @end

  public Pur3Example() {
    super(Rule.FORBIDDEN_CALL, 2, Broken::new, Correct::new);
  }

  @Override
  List<Finding> check(CollExecutorBase<AllGatherParam> executor, int ranks) {
    // @start region="check"
    VirtualCluster cluster = VirtualCluster.builder(Topology.flat(ranks)).build();
    AllGatherParam param = new AllGatherParam(cluster.comm(), DataType.INT32, 10);
    cluster.check(executor, param).requireClean();
    return CallReport.of(executor.getClass(), List.of(CollectiveCase.of(param, 1)));
    // @end
  }
}
