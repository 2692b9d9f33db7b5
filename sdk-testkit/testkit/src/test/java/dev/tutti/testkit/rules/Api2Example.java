package dev.tutti.testkit.rules;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.Support;
import dev.tutti.sdk.param.ReduceScatterParam;
import dev.tutti.testkit.arch.PluginRules;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Rule;
import java.util.List;

/** API-2: a reduction that is added later makes the switch throw. */
public final class Api2Example extends RuleExample<ReduceScatterParam> {

  // @start region="correct"
  @CollAlgorithm(name = "turns", summary = "Ranks read from one another in turn")
  public static final class Correct extends Sem4Example.Correct {

    @Override
    public Support supports(ReduceScatterParam param) {
      return switch (param.reduceOp()) {
        case SUM, PROD, MAX, MIN -> Support.yes();
        case BAND, BOR, BXOR -> Support.no("takes arithmetic reductions only");
        default -> Support.no("takes no " + param.reduceOp());
      };
    }
  }

  // @end

  // @start region="broken"
  @CollAlgorithm(name = "turns", summary = "Ranks read from one another in turn")
  public static final class Broken extends Sem4Example.Correct {

    @Override
    public Support supports(ReduceScatterParam param) {
      return switch (param.reduceOp()) {
        case SUM, PROD, MAX, MIN -> Support.yes();
        case BAND, BOR, BXOR -> Support.no("takes arithmetic reductions only");
      };
    }
  }

  // @end

  public Api2Example() {
    super(Rule.NO_DEFAULT, 1, Broken::new, Correct::new);
  }

  @Override
  List<Finding> check(CollExecutorBase<ReduceScatterParam> executor, int ranks) {
    // @start region="check"
    return PluginRules.check(
        new ClassFileImporter()
            .importClasses(executor.getClass(), Sem4Example.Correct.class, MeshExecutor.class));
    // @end
  }
}
