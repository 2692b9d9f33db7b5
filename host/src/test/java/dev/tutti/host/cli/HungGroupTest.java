package dev.tutti.host.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.Context;
import dev.tutti.host.Group;
import dev.tutti.host.PausedRun;
import dev.tutti.host.RankRequest;
import dev.tutti.host.Request;
import dev.tutti.host.cli.CommandLineHarness.Outcome;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Groups of a host that serves hang, and {@code tutti status} says why. */
@Timeout(300)
class HungGroupTest {

  private static final int RANKS = 4;
  private static final int COUNT = 1 << 18;

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

  /** Looks until somebody waits, and what is seen is as it should be. */
  private JsonNode awaitWaits(int ranks) {
    while (true) {
      JsonNode groups = activity();
      if (!groups.isEmpty() && groups.get(0).get("waits").size() == ranks) {
        return groups.get(0);
      }
    }
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

  private static void holdBack(CountDownLatch release) {
    try {
      release.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aRankThatDoesNotCallIsNamed() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    try (Group group = context.createGroup(RANKS)) {
      Thread bodies =
          Thread.ofPlatform()
              .daemon()
              .start(
                  () ->
                      group.run(
                          rank -> {
                            float[] data = {rank.rank()};
                            rank.allReduce(data, data, ReduceOp.SUM);
                            if (rank.rank() == 2) {
                              holdBack(release);
                            }
                            rank.allReduce(data, data, ReduceOp.SUM);
                          }));

      JsonNode hung = awaitWaits(RANKS);

      assertThat(hung.get("state").asString()).isEqualTo("meeting");
      for (JsonNode rank : hung.get("waits")) {
        boolean isAwaited = rank.get("rank").asInt() == 2;
        assertThat(rank.get("state").asString()).isEqualTo(isAwaited ? "outside" : "waiting");
        assertThat(waitsFor(rank)).isEqualTo(isAwaited ? List.of() : List.of(2));
        assertThat(rank.get("doing").asString())
            .isEqualTo(
                isAwaited
                    ? "has not called"
                    : "waits in operation 2, allreduce of 1 float32, sum, for rank 2");
        assertThat(rank.get("at").asString())
            .startsWith(
                isAwaited ? "HungGroupTest.holdBack(HungGroupTest.java:" : "HungGroupTest.lambda$");
      }
      assertThat(host.call("status").lines())
          .contains("group 1 (group of 4 ranks) is waiting for ranks that have not called")
          .anyMatch(
              line ->
                  line.startsWith(
                      "  → what the others wait for: rank 2 has not called, at"
                          + " HungGroupTest.holdBack(HungGroupTest.java:"));
      release.countDown();
      bodies.join();
      assertThat(activity().get(0).get("state").asString()).isEqualTo("idle");
    }
  }

  @Test
  void ranksThatWaitForEachOtherAreNamed() throws Exception {
    try (Group group = context.createGroup(2)) {
      float[][] data = {{1}, {2}};
      List<RankRequest> requests = new ArrayList<>();
      for (int rank = 0; rank < 2; rank++) {
        requests.add(
            group
                .rank(rank)
                .requests()
                .receive(MemorySegment.ofArray(data[rank]), DataType.FLOAT32, 1 - rank)
                .start());
      }

      JsonNode hung = awaitWaits(2);

      for (JsonNode rank : hung.get("waits")) {
        int other = 1 - rank.get("rank").asInt();
        assertThat(waitsFor(rank)).containsExactly(other);
        assertThat(rank.get("doing").asString())
            .startsWith("waits in operation 1, ")
            .endsWith(", for rank " + other);
      }
      assertThat(hung.get("cause").asString()).isEqualTo("rank 0, rank 1 wait for each other");
      requests.forEach(RankRequest::cancel);
    }
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
        JsonNode hung = awaitWaits(RANKS);
        while (states(hung, "running").size() != 1) {
          hung = awaitWaits(RANKS);
        }

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
        assertThat(host.call("status").lines())
            .anyMatch(line -> line.matches("  rank \\d waits at stream 0 action \\d+: await .*"));
      }
      assertThat(outputs[3].getAtIndex(ValueLayout.JAVA_FLOAT, 7)).isEqualTo(RANKS);
      assertThat(activity().get(0).get("state").asString()).isEqualTo("idle");
    }
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
