package dev.tutti.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.pool.rules.Rules;
import dev.tutti.plugin.Algorithm;
import dev.tutti.plugin.PluginJars;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.ReduceOp;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Contexts that load only the algorithms of some operations. */
final class OperationsOfContextTest {

  @TempDir private Path directory;

  @BeforeEach
  void addAPlugin() {
    PluginJars.plugin("good").allReduce("Good", "good").write(directory, "good.jar");
  }

  private ContextBuilder builder(Operation only) {
    return Context.builder()
        .environment(Map.of())
        .pluginsDirectory(directory)
        .operations(Set.of(only));
  }

  @Test
  void othersCannotBeCalled() {
    try (Context context = builder(Operation.BARRIER).open();
        Group group = context.createGroup(2)) {
      CollectiveCall call = CollectiveCall.allReduce(DataType.INT32, ReduceOp.SUM, 1);
      assertThat(
              Errors.message(ErrorCode.UNSUPPORTED, () -> group.request(call).explain().chosen()))
          .endsWith("and name the operation if the context loads only some");
    }
    try (Context context = builder(Operation.ALL_REDUCE).open()) {
      assertThat(context.plugins().algorithms())
          .extracting(Algorithm::name)
          .containsExactly("good");
    }
  }

  /** Otherwise, a rule that is right in one context would be refused in another. */
  @Test
  void withRulesAllAreLoaded() {
    Rules rules = Rules.parse("prefer=good", "test");
    try (Context context = builder(Operation.BARRIER).rules(rules).open()) {
      assertThat(context.plugins().algorithms()).hasSize(1);
    }
    Map<String, String> variables = Map.of("TUTTI_RULES", "prefer=good");
    try (Context context = builder(Operation.BARRIER).environment(variables).open()) {
      assertThat(context.plugins().algorithms()).hasSize(1);
    }
  }

  @Test
  void watchedPluginsServeAll() {
    ContextBuilder watched =
        Context.builder()
            .operations(Set.of(Operation.SCAN))
            .watchPlugins(directory, directory.resolve("state"));

    assertThat(Errors.message(ErrorCode.INVALID_ARGUMENT, watched::open))
        .isEqualTo(
            "watched plugins serve all of their operations; leave out operations or watchPlugins");
  }

  @Test
  void noOperationIsRefused() {
    assertThat(
            Errors.message(
                ErrorCode.INVALID_ARGUMENT, () -> Context.builder().operations(Set.of())))
        .startsWith("name at least one operation");
  }
}
