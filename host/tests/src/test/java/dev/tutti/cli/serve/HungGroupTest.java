package dev.tutti.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.cli.CommandLineHarness.Outcome;
import dev.tutti.host.Context;
import dev.tutti.host.Group;
import dev.tutti.host.PausedRun;
import dev.tutti.host.Request;
import dev.tutti.host.call.CallOptions;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Groups of a host that serves hang, and {@code tutti status} says why. */
@Timeout(600)
class HungGroupTest {

  private static final int RANKS = 4;
  private static final CallOptions GATHERING = CallOptions.defaults().withAlgorithm("gathering");
  private static final int COUNT = 1 << 18;

  private static final Path PAGE = Path.of("..", "..", "docs", "observing.md");

  @TempDir private Path directory;
  private final Arena arena = Arena.ofShared();
  private ServedHost host;
  private Context context;

  @BeforeEach
  void serve() throws Exception {
    Path plugins = Files.createDirectory(directory.resolve("plugins"));
    host =
        ServedHost.start(plugins, builder -> builder.workers(2).deadline(Duration.ofMinutes(10)));
    context = host.context();
  }

  @AfterEach
  void stop() throws Exception {
    host.close();
    arena.close();
  }

  /** Polls until a number of ranks wait in an operation; before that, ranks may just be slow. */
  private JsonNode awaitWaits(int ranks, String inOperation) {
    while (true) {
      JsonNode groups = activity();
      if (!groups.isEmpty() && waiting(groups.get(0), inOperation) == ranks) {
        return groups.get(0);
      }
    }
  }

  private static int waiting(JsonNode group, String inOperation) {
    int waiting = 0;
    for (JsonNode rank : group.get("waits")) {
      boolean isIn = rank.get("doing").asString().startsWith("waits " + inOperation);
      waiting += isIn && rank.get("state").asString().equals("waiting") ? 1 : 0;
    }
    return waiting;
  }

  private JsonNode activity() {
    Outcome outcome = host.call("status", "--json");
    assertThat(outcome.err()).isEmpty();
    return JsonMapper.shared().readTree(outcome.out()).get("activity");
  }

  private static List<Integer> waitsFor(JsonNode rank) {
    List<Integer> ranks = new ArrayList<>();
    rank.get("waitsFor").forEach(each -> ranks.add(each.asInt()));
    return ranks;
  }

  /** Compares the output with the page that explains it, except for times and line numbers. */
  private void assertThatThePageShowsIt(String... arguments) throws IOException {
    String printed = host.call(arguments).out();
    String shown = stable(printed);
    String first = arguments.length == 1 ? "group 1 (" : "group rank";
    String part = shown.substring(shown.indexOf(first));
    int end = part.indexOf("\n\n");
    assertThat(stable(Files.readString(PAGE)))
        .as("docs/observing.md shows what was printed:%n%s", printed)
        .contains(end < 0 ? part.strip() : part.substring(0, end));
  }

  private static String stable(String text) {
    return text.replaceAll("\\d+(\\.\\d+)? (us|ms|s)\\b", "TIME")
        .replaceAll("\\d\\d:\\d\\d:\\d\\d\\.\\d+", "CLOCK")
        .replaceAll("java:\\d+", "java:LINE")
        .replaceAll(" +", " ");
  }

  @Test
  void aRankThatDoesNotCallIsNamed() throws Exception {
    Trainer trainer = new Trainer();
    try (Group group = context.createGroup(RANKS)) {
      Thread bodies =
          Thread.ofPlatform()
              .daemon()
              .start(() -> group.run(rank -> trainer.train(rank.with(GATHERING))));

      JsonNode hung = awaitWaits(RANKS - 1, "in operation 2,");

      assertThat(hung.get("state").asString()).isEqualTo("meeting");
      for (JsonNode rank : hung.get("waits")) {
        boolean isAwaited = rank.get("rank").asInt() == 2;
        assertThat(rank.get("state").asString()).isEqualTo(isAwaited ? "outside" : "waiting");
        assertThat(waitsFor(rank)).isEqualTo(isAwaited ? List.of() : List.of(2));
        assertThat(rank.get("doing").asString())
            .startsWith(
                isAwaited
                    ? "has not called; its last call was number 1, allreduce of 1024 float32, sum: done"
                    : "waits in operation 2, allreduce of 1024 float32, sum, for rank 2");
        assertThat(rank.get("at").asString())
            .startsWith(
                isAwaited ? "Trainer.readInput(Trainer.java:" : "Trainer.train(Trainer.java:");
      }
      assertThat(hung.get("cause").asString())
          .startsWith(
              "what the others wait for: rank 2 has not called; its last call was number 1, ");
      assertThatThePageShowsIt("status");
      assertThatThePageShowsIt("status", "--flight");
      trainer.giveInput();
      bodies.join();
      assertThat(activity().get(0).get("state").asString()).isEqualTo("idle");
    }
  }

  @Test
  void ranksThatWaitForEachOtherAreNamed() throws Exception {
    Group group = context.createGroup(2);
    FutureTask<Void> bodies = new FutureTask<>(() -> group.run(Trainer::exchange), null);
    Thread.ofPlatform().daemon().start(bodies);

    JsonNode hung = awaitWaits(2, "in operation 1,");

    for (JsonNode rank : hung.get("waits")) {
      int other = 1 - rank.get("rank").asInt();
      assertThat(waitsFor(rank)).containsExactly(other);
      assertThat(rank.get("doing").asString())
          .startsWith("waits in operation 1, transfer of 1024 float32")
          .endsWith(", for rank " + other);
      assertThat(rank.get("at").asString()).startsWith("Trainer.exchange(Trainer.java:");
    }
    assertThat(hung.get("cause").asString()).isEqualTo("rank 0, rank 1 wait for each other");
    assertThatThePageShowsIt("status");
    group.close();
    assertThatThrownBy(bodies::get).hasMessageContaining("the group is closed");
  }

  @Test
  void theActionThatHoldsARunUpIsShown() throws Exception {
    MemorySegment[] inputs = new MemorySegment[RANKS];
    MemorySegment[] outputs = new MemorySegment[RANKS];
    for (int rank = 0; rank < RANKS; rank++) {
      inputs[rank] = arena.allocate(ValueLayout.JAVA_FLOAT, COUNT).fill((byte) 0);
      inputs[rank].setAtIndex(ValueLayout.JAVA_FLOAT, 7, 1);
      outputs[rank] = arena.allocate(ValueLayout.JAVA_FLOAT, COUNT);
    }
    try (Group group = context.createGroup(RANKS);
        Request request =
            group
                .allReduce(inputs, outputs, DataType.FLOAT32, ReduceOp.SUM)
                .algorithm("gathering")
                .build()) {
      try (PausedRun paused = PausedRun.start(request)) {
        JsonNode hung = awaitWaits(RANKS - 1, "at stream 0");

        assertThat(hung.get("state").asString()).isEqualTo("running");
        assertThat(hung.get("doing").asString()).startsWith("running allreduce of 262144 float32");
        int held = states(hung, "running").getFirst();
        for (JsonNode rank : hung.get("waits")) {
          assertThat(rank.get("at").asString()).startsWith("TestAlgorithms");
          boolean isHeld = rank.get("rank").asInt() == held;
          assertThat(waitsFor(rank)).isEqualTo(isHeld ? List.of() : List.of(held));
        }
        assertThat(hung.get("cause").asString())
            .startsWith("what the others wait for: rank " + held + " is at stream 0 action ");
        String page = anyRank(stable(Files.readString(PAGE)));
        assertThat(host.call("status").lines())
            .filteredOn(line -> line.startsWith("  rank") || line.startsWith("  →"))
            .hasSize(RANKS + 1)
            .allSatisfy(line -> assertThat(page).contains(anyRank(stable(line))));
      }
      assertThat(outputs[3].getAtIndex(ValueLayout.JAVA_FLOAT, 7)).isEqualTo(RANKS);
      assertThat(activity().get(0).get("state").asString()).isEqualTo("idle");
    }
  }

  /** Which rank is held is not always the same. */
  private static String anyRank(String text) {
    return text.replaceAll("(rank \\d's )?param-input", "INPUT")
        .replaceAll("action \\d+", "action N")
        .replaceAll("rank \\d", "rank N")
        .replaceAll("lambda\\$(\\w+)\\$\\d+", "lambda");
  }

  private static List<Integer> states(JsonNode group, String state) {
    List<Integer> ranks = new ArrayList<>();
    for (JsonNode rank : group.get("waits")) {
      if (rank.get("state").asString().equals(state)) {
        ranks.add(rank.get("rank").asInt());
      }
    }
    return ranks;
  }
}
