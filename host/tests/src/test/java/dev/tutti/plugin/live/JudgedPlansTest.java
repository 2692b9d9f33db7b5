package dev.tutti.plugin.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.host.Context;
import dev.tutti.host.ContextBuilder;
import dev.tutti.host.Group;
import dev.tutti.host.Request;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.plugin.PluginManager;
import dev.tutti.plugin.PluginStatus;
import dev.tutti.plugin.PluginStatus.State;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every plan of a watched plugin is judged before it runs, however long it has served. */
class JudgedPlansTest {

  private static final int RIGHT_PLANS = 40;
  private static final long RARE = 140_001;
  private static final long RARE_AND_LARGE = 200_001;

  @TempDir private Path directory;
  private Path plugins;
  private final List<String> news = new CopyOnWriteArrayList<>();
  private Context context;

  @BeforeEach
  void makeDirectory() throws IOException {
    plugins = Files.createDirectory(directory.resolve("plugins"));
  }

  @AfterEach
  void close() {
    context.close();
  }

  private PluginManager open(ContextBuilder builder) {
    context =
        builder.watchPlugins(plugins, directory.resolve("state")).pluginNews(news::add).open();
    return context.pluginManager();
  }

  private void drop(String version, Class<?> provider) {
    LiveJars.jar(plugins.resolve("pull.jar"), version, provider);
  }

  /** Multiplies twos, checks the result, and returns the plugin that planned it. */
  private String multiply(Group group, long count, String algorithm) {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment[] inputs = new MemorySegment[group.rankSize()];
      MemorySegment[] outputs = new MemorySegment[group.rankSize()];
      for (int rank = 0; rank < inputs.length; rank++) {
        inputs[rank] = arena.allocate(count, 64).fill((byte) 2);
        outputs[rank] = arena.allocate(count, 64);
      }
      try (Request request =
          group
              .request(CollectiveCall.allReduce(DataType.UINT8, ReduceOp.PROD, count))
              .algorithm(algorithm)
              .buffers(inputs, outputs)
              .build()) {
        request.run();
        for (MemorySegment output : outputs) {
          assertThat(output.get(ValueLayout.JAVA_BYTE, count - 1))
              .isEqualTo((byte) (1 << inputs.length));
        }
        return request.algorithm() + " of " + request.algorithm().version();
      }
    }
  }

  private void runRightPlans(Group group) {
    for (int i = 1; i <= RIGHT_PLANS; i++) {
      assertThat(multiply(group, i, "pull")).isNotEmpty();
    }
  }

  private static PluginStatus status(PluginManager manager, String version) {
    return manager.list().stream()
        .filter(it -> it.version().equals(version))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(longs = {RARE, RARE_AND_LARGE})
  void aVersionThatShowsItsMistakeLateIsTakenBackBeforeItRuns(long count) {
    drop("1.0.0", LiveSamples.Right.class);
    PluginManager manager = open(Context.builder());
    drop("2.0.0", LiveSamples.RarelyWrong.class);
    manager.rescan();
    try (Group group = context.createGroup(4)) {
      runRightPlans(group);
      assertThat(status(manager, "2.0.0").plans()).isEqualTo(RIGHT_PLANS);

      assertThat(multiply(group, count, "pull")).endsWith(" of 1.0.0");
      assertThat(multiply(group, 3, null)).endsWith(" of 1.0.0");
    }
    assertThat(news)
        .filteredOn(it -> it.contains("goes back from 2.0.0 to 1.0.0"))
        .singleElement()
        .asString()
        .contains("one of its plans was judged wrong: [TUTTI-409]", "breaks");
    assertThat(manager.why(LiveJars.ID)).contains("by itself", "was judged wrong");
  }

  /** The verdict on plans of the same structure does not hold for a plan that uses other bytes. */
  @Test
  void aPlanOfAKnownStructureIsWrongAllTheSame() {
    drop("1.0.0", LiveSamples.Right.class);
    PluginManager manager = open(Context.builder());
    drop("2.0.0", LiveSamples.RarelyShifted.class);
    manager.rescan();
    try (Group group = context.createGroup(4)) {
      for (int count = 101; count < 101 + RIGHT_PLANS; count++) {
        assertThat(multiply(group, count, "pull")).endsWith(" of 2.0.0");
      }
      assertThat(group.planCache().structures()).isLessThan(5);
      assertThat(multiply(group, LiveSamples.RarelyShifted.SHIFTED, "pull")).endsWith(" of 1.0.0");
    }
    assertThat(manager.why(LiveJars.ID)).contains("by itself", "was judged wrong");
  }

  @Test
  void withoutAVersionToGoBackToTheCallGoesOnWithAnotherAlgorithm() {
    drop("1.0.0", LiveSamples.RarelyWrong.class);
    PluginManager manager = open(Context.builder().algorithm("zown", new LiveSamples.Right()));
    try (Group group = context.createGroup(4)) {
      runRightPlans(group);

      assertThat(multiply(group, RARE, null)).contains("zown");
      assertThat(multiply(group, RARE + 1, null)).contains("zown");
      assertThat(multiply(group, 7, "pull")).endsWith(" of 1.0.0");
    }
    assertThat(status(manager, "1.0.0").state()).isEqualTo(State.SERVING);
    assertThat(manager.why(LiveJars.ID)).containsOnlyOnce("made a plan that was judged wrong");
  }

  @Test
  void whoAsksForItByNameIsRefusedAndNothingIsWritten() {
    drop("1.0.0", LiveSamples.RarelyWrong.class);
    open(Context.builder());
    try (Group group = context.createGroup(4);
        Arena arena = Arena.ofShared()) {
      runRightPlans(group);
      MemorySegment[] inputs = new MemorySegment[4];
      MemorySegment[] outputs = new MemorySegment[4];
      for (int rank = 0; rank < 4; rank++) {
        inputs[rank] = arena.allocate(RARE, 64).fill((byte) 2);
        outputs[rank] = arena.allocate(RARE, 64);
      }

      assertThatThrownBy(
              () ->
                  group
                      .request(CollectiveCall.allReduce(DataType.UINT8, ReduceOp.PROD, RARE))
                      .algorithm("pull")
                      .buffers(inputs, outputs)
                      .build()
                      .run())
          .isInstanceOfSatisfying(
              TuttiException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.PLUGIN_REJECTED))
          .hasMessageContaining("the plan is not run");
      for (MemorySegment output : outputs) {
        assertThat(output.mismatch(MemorySegment.ofArray(new byte[(int) RARE]))).isEqualTo(-1);
      }
    }
  }
}
