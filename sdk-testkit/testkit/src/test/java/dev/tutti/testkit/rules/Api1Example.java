package dev.tutti.testkit.rules;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.tutti.sdk.AlgParameter;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.param.AllGatherParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.testkit.arch.PluginRules;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Rule;
import java.util.List;

/** API-1: the executor gets its setting from a constructor that nobody will call. */
public final class Api1Example extends RuleExample<AllGatherParam> {

  // @start region="correct"
  public abstract static class Turns extends MeshExecutor<AllGatherParam> {

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
    protected abstract long chunks(AllGatherParam param);
  }

  @CollAlgorithm(name = "turns", summary = "Ranks read from one another in turn")
  public static final class Correct extends Turns {

    private static final AlgParameter<Long> CHUNKS =
        AlgParameter.integer("chunks", "pieces a block is read in", 1, 1, 64);

    @Override
    public List<AlgParameter<?>> parameters() {
      return List.of(CHUNKS);
    }

    @Override
    protected long chunks(AllGatherParam param) {
      return CHUNKS.in(param.options());
    }
  }

  // @end

  // @start region="broken"
  @CollAlgorithm(name = "turns", summary = "Ranks read from one another in turn")
  public static final class Broken extends Turns {

    private final int chunks;

    public Broken(int chunks) {
      this.chunks = chunks;
    }

    @Override
    protected long chunks(AllGatherParam param) {
      return chunks;
    }
  }

  // @end

  public Api1Example() {
    super(Rule.NOT_LOADABLE, 1, () -> new Broken(4), Correct::new);
  }

  @Override
  List<Finding> check(CollExecutorBase<AllGatherParam> executor, int ranks) {
    // @start region="check"
    return PluginRules.check(
        new ClassFileImporter()
            .importClasses(executor.getClass(), Turns.class, MeshExecutor.class));
    // @end
  }
}
