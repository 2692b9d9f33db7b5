package dev.tutti.testkit.rules;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.tutti.sdk.AlgParameter;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.AllGatherParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.testkit.arch.PluginRules;
import dev.tutti.testkit.rule.Finding;
import dev.tutti.testkit.rule.Rule;
import java.util.List;

/** API-1: the executor gets its setting from a constructor that nobody will call. */
public final class Api1Example implements RuleExample {

  // @start region="broken"
  @CollAlgorithm(name = "turns", summary = "Ranks read from one another in turn")
  public static final class Broken extends NativeExecutorBase<AllGatherParam> {

    private final int chunks;

    public Broken(int chunks) {
      this.chunks = chunks;
    }

    @Override
    protected OpCommTransport calcCommInfo(AllGatherParam param) {
      return OpCommTransport.mesh(
          param.comm(), CommPlane.COMBINED, inputMemType(param), outputMemType(param));
    }

    @Override
    protected void kernelRun(AllGatherParam param, ExecMem mem) {
      Stream main = mem.resources().mainStream();
      SubCommInfo all = mem.resources().subComm(CommPlane.COMBINED);
      List<Slice> slices = Slice.partition(mem.count(), chunks, param.dataType().size());
      main.copy(mem.outputBlock(all.localRank()), mem.input());
      for (int rank = 0; rank < all.localRankSize(); rank++) {
        if (rank == all.localRank()) {
          continue;
        }
        Link peer = all.link(rank);
        DeviceMem theirs = mem.outputBlock(peer.remoteUserRank());
        peer.post(main, Link.READY);
        peer.await(main, Link.READY);
        for (Slice chunk : slices) {
          peer.read(main, theirs.slice(chunk), peer.remote(mem.input()).slice(chunk));
        }
        peer.dataReceivedAck(main);
      }
    }
  }

  // @end

  // @start region="correct"
  @CollAlgorithm(name = "turns", summary = "Ranks read from one another in turn")
  public static final class Correct extends NativeExecutorBase<AllGatherParam> {

    private static final AlgParameter<Long> CHUNKS =
        AlgParameter.integer("chunks", "pieces a block is read in", 1, 1, 64);

    @Override
    public List<AlgParameter<?>> parameters() {
      return List.of(CHUNKS);
    }

    @Override
    protected OpCommTransport calcCommInfo(AllGatherParam param) {
      return OpCommTransport.mesh(
          param.comm(), CommPlane.COMBINED, inputMemType(param), outputMemType(param));
    }

    @Override
    protected void kernelRun(AllGatherParam param, ExecMem mem) {
      Stream main = mem.resources().mainStream();
      SubCommInfo all = mem.resources().subComm(CommPlane.COMBINED);
      int chunks = Math.toIntExact(CHUNKS.in(param.options()));
      List<Slice> slices = Slice.partition(mem.count(), chunks, param.dataType().size());
      main.copy(mem.outputBlock(all.localRank()), mem.input());
      for (int rank = 0; rank < all.localRankSize(); rank++) {
        if (rank == all.localRank()) {
          continue;
        }
        Link peer = all.link(rank);
        DeviceMem theirs = mem.outputBlock(peer.remoteUserRank());
        peer.post(main, Link.READY);
        peer.await(main, Link.READY);
        for (Slice chunk : slices) {
          peer.read(main, theirs.slice(chunk), peer.remote(mem.input()).slice(chunk));
        }
        peer.dataReceivedAck(main);
      }
    }
  }

  // @end

  // @start region="check"
  private static List<Finding> check(Class<? extends CollExecutorBase<?>> executor) {
    return PluginRules.check(new ClassFileImporter().importClasses(executor));
  }

  // @end

  @Override
  public Rule rule() {
    return Rule.NOT_LOADABLE;
  }

  @Override
  public int ranks() {
    return 1;
  }

  @Override
  public List<Finding> broken() {
    return check(Broken.class);
  }

  @Override
  public List<Finding> correct(int ranks) {
    return check(Correct.class);
  }
}
