package dev.tutti.host.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.Context;
import dev.tutti.host.Group;
import dev.tutti.host.RankHandle;
import dev.tutti.host.call.CallOptions;
import dev.tutti.plugin.PluginJars;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes of a job that load the algorithms of different operations from the same jars. */
final class JobOperationsTest {

  @TempDir private Path plugins;

  /** As when rules, with which all are loaded, are given to rank 0 only. */
  @Test
  void onlyWhatNotAllHaveLoadedIsRefused() throws Exception {
    PluginJars.plugin("part").allReduce("Part", "part").write(plugins, "part.jar");

    List<TuttiException> errors =
        OneJvmJob.run(
            2,
            (rank, builder) ->
                builder
                    .pluginsDirectory(plugins)
                    .operations(Set.of(rank == 0 ? Operation.ALL_REDUCE : Operation.BARRIER)),
            JobOperationsTest::run);

    assertThat(errors)
        .allSatisfy(error -> assertThat(error.code()).isEqualTo(ErrorCode.UNKNOWN_NAME));
  }

  private static TuttiException run(Context context) {
    try (Group group = context.createGroup(2)) {
      RankHandle rank = group.rank(group.localRanks()[0]);
      TuttiException error = JobMistakesTest.errorOf(() -> sum(context, rank, "part"));
      assertThat(sum(context, rank, "pull")).isEqualTo(14);
      return error;
    }
  }

  private static int sum(Context context, RankHandle rank, String algorithm) {
    MemorySegment data = context.allocate(4).segment();
    data.set(ValueLayout.JAVA_INT, 0, 7);
    RankHandle _ =
        rank.with(CallOptions.defaults().withAlgorithm(algorithm))
            .allReduce(data, data, DataType.INT32, ReduceOp.SUM);
    return data.get(ValueLayout.JAVA_INT, 0);
  }
}
