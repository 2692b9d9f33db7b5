package dev.tutti.testkit.rules;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.Support;
import dev.tutti.sdk.param.ReduceScatterParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.testkit.arch.PluginRules;
import dev.tutti.testkit.rule.Finding;
import dev.tutti.testkit.rule.Rule;
import java.util.List;

/** API-2: a reduction that is added later makes the switch throw. */
public final class Api2Example implements RuleExample {

  // @start region="broken"
  @CollAlgorithm(name = "turns", summary = "Ranks read from one another in turn")
  public static final class Broken extends NativeExecutorBase<ReduceScatterParam> {

    @Override
    public Support supports(ReduceScatterParam param) {
      return switch (param.reduceOp()) {
        case SUM, PROD, MAX, MIN -> Support.yes();
        case BAND, BOR, BXOR -> Support.no("takes arithmetic reductions only");
      };
    }

    @Override
    protected OpCommTransport calcCommInfo(ReduceScatterParam param) {
      return OpCommTransport.mesh(
          param.comm(), CommPlane.COMBINED, inputMemType(param), outputMemType(param));
    }

    @Override
    protected void kernelRun(ReduceScatterParam param, ExecMem mem) {
      Stream main = mem.resources().mainStream();
      SubCommInfo all = mem.resources().subComm(CommPlane.COMBINED);
      DeviceMem mine = mem.inputBlock(all.localRank());
      main.copy(mem.output(), mine);
      for (int rank = 0; rank < all.localRankSize(); rank++) {
        if (rank == all.localRank()) {
          continue;
        }
        Link peer = all.link(rank);
        peer.post(main, Link.READY);
        peer.await(main, Link.READY);
        peer.readReduce(main, mem.output(), peer.remote(mine), param.dataType(), param.reduceOp());
        peer.dataReceivedAck(main);
      }
    }
  }

  // @end

  // @start region="correct"
  @CollAlgorithm(name = "turns", summary = "Ranks read from one another in turn")
  public static final class Correct extends NativeExecutorBase<ReduceScatterParam> {

    @Override
    public Support supports(ReduceScatterParam param) {
      return switch (param.reduceOp()) {
        case SUM, PROD, MAX, MIN -> Support.yes();
        case BAND, BOR, BXOR -> Support.no("takes arithmetic reductions only");
        default -> Support.no("takes no " + param.reduceOp());
      };
    }

    @Override
    protected OpCommTransport calcCommInfo(ReduceScatterParam param) {
      return OpCommTransport.mesh(
          param.comm(), CommPlane.COMBINED, inputMemType(param), outputMemType(param));
    }

    @Override
    protected void kernelRun(ReduceScatterParam param, ExecMem mem) {
      Stream main = mem.resources().mainStream();
      SubCommInfo all = mem.resources().subComm(CommPlane.COMBINED);
      DeviceMem mine = mem.inputBlock(all.localRank());
      main.copy(mem.output(), mine);
      for (int rank = 0; rank < all.localRankSize(); rank++) {
        if (rank == all.localRank()) {
          continue;
        }
        Link peer = all.link(rank);
        peer.post(main, Link.READY);
        peer.await(main, Link.READY);
        peer.readReduce(main, mem.output(), peer.remote(mine), param.dataType(), param.reduceOp());
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
    return Rule.NO_DEFAULT;
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
