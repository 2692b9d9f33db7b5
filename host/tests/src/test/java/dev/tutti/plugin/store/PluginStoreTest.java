package dev.tutti.plugin.store;

import static dev.tutti.plugin.store.Events.hash;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.Errors;
import dev.tutti.plugin.store.PluginEvent.Admitted;
import dev.tutti.plugin.store.PluginEvent.Pinned;
import dev.tutti.plugin.store.PluginEvent.Refused;
import dev.tutti.plugin.store.PluginEvent.Serving;
import dev.tutti.plugin.store.PluginEvent.Staged;
import dev.tutti.plugin.store.PluginEvent.Unpinned;
import dev.tutti.sdk.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PluginStoreTest {

  @TempDir private Path directory;

  private Path state() {
    return directory.resolve("state");
  }

  private Path journal() {
    return state().resolve("journal.jsonl");
  }

  private PluginStore open() {
    return PluginStore.open(state(), Events.clock());
  }

  /** Stages a jar of a version, and records that. */
  private String staged(PluginStore store, String version) throws IOException {
    Path jar = Files.writeString(directory.resolve("ring.jar"), "version " + version);
    StageResult.Stored stored = (StageResult.Stored) store.stage(jar);
    store.record(new Staged("ring", version, stored.sha256(), "ring.jar", stored.bytes()));
    return stored.sha256();
  }

  @Test
  void remembersWhatWasRecorded() throws IOException {
    PluginState before;
    String sha256;
    try (PluginStore store = open()) {
      assertThat(store.state()).isEqualTo(PluginState.EMPTY);
      sha256 = staged(store, "1.0");
      store.record(new Admitted("ring", "1.0", sha256, "1.4"));
      before = store.record(new Serving("ring", "1.0", sha256, "ring.jar", null));
      assertThat(store.state()).isSameAs(before);
    }
    try (PluginStore store = open()) {
      assertThat(store.state()).isEqualTo(before);
      assertThat(store.find(sha256).orElseThrow()).hasContent("version 1.0");
      assertThat(store.notes()).isEmpty();
    }
  }

  @Test
  void isGivenToOneAtATimeAndFreedByAFailure() throws IOException {
    try (PluginStore _ = open()) {
      assertThat(Errors.message(ErrorCode.PLUGIN_STATE, this::open)).contains("is in use by");
    }
    Files.writeString(journal(), "{}\n");
    for (int i = 0; i < 2; i++) {
      assertThat(Errors.message(ErrorCode.PLUGIN_STATE, this::open)).contains("is damaged");
    }
    Files.delete(journal());
    open().close();
  }

  @Test
  void saysThatATornLineWasCutOff() throws IOException {
    open().close();
    Files.writeString(journal(), "{\"seq\":1,", StandardOpenOption.APPEND);
    try (PluginStore store = open()) {
      assertThat(store.notes())
          .containsExactly(
              journal().toRealPath()
                  + " ended with 9 bytes of an unfinished line, which were cut off");
    }
    try (PluginStore store = open()) {
      assertThat(store.notes()).isEmpty();
    }
  }

  @Test
  void forgetsCopiesThatWereNeverRecorded() throws IOException {
    Path jar = Files.writeString(directory.resolve("a.jar"), "a");
    Path copy;
    try (PluginStore store = open()) {
      copy = ((StageResult.Stored) store.stage(jar)).path();
      assertThat(copy).exists();
    }
    try (PluginStore _ = open()) {
      assertThat(copy).doesNotExist();
    }
  }

  @Test
  void sweepsAllButWhatIsInUseOrServesOrServedBefore() throws IOException {
    try (PluginStore store = open()) {
      String first = staged(store, "1");
      String second = staged(store, "2");
      String third = staged(store, "3");
      String fourth = staged(store, "4");
      store.record(new Serving("ring", "3", third, "ring.jar", second));
      assertThat(store.sweep(Set.of(first))).containsExactly(fourth);
      assertThat(store.find(fourth)).isEmpty();
      assertThat(store.state().contents()).containsExactlyInAnyOrder(first, second, third);
      assertThat(store.sweep(Set.of())).containsExactly(first);
      assertThat(store.sweep(Set.of())).isEmpty();
      assertThat(store.find(second)).isPresent();
      assertThat(store.find(third)).isPresent();
    }
  }

  @Test
  void keepsACopyThatAnotherPluginHas() throws IOException {
    try (PluginStore store = open()) {
      String sha256 = staged(store, "1");
      store.record(new Serving("ring", "1", sha256, "ring.jar", null));
      store.record(new Staged("", "", sha256, "ring.jar", 9));
      assertThat(store.sweep(Set.of())).isEmpty();
      assertThat(store.find(sha256)).isPresent();
      assertThat(store.state().plugin("").contents()).isEmpty();
    }
  }

  @Test
  void refusesEventsAboutContentsThatWereNotStaged() {
    try (PluginStore store = open()) {
      Serving event = new Serving("ring", "1", hash(1), "ring.jar", null);
      assertThat(Errors.message(ErrorCode.INVALID_ARGUMENT, () -> store.record(event)))
          .isEqualTo(
              "plugin 'ring' has no content %s; its staging must be recorded first. Actual: %s",
              hash(1), event);
      assertThat(store.state()).isEqualTo(PluginState.EMPTY);
    }
  }

  @Test
  void keepsItsJournalShort() throws IOException {
    PluginState before;
    Random random = new Random(2);
    try (PluginStore store = PluginStore.open(state(), Events.clock(), Steps.NONE)) {
      store.record(new Pinned("direct", "7"));
      for (int i = 0; i < 120; i++) {
        store.record(new Refused("ring", "ring.jar", "TUTTI-401", "x".repeat(10_000)));
        store.record(Events.random(random, store.state()));
      }
      before = store.state();
      assertThat(Files.size(journal())).isLessThan(3 * Journal.SMALL_BYTES);
      assertThat(store.notes()).isEmpty();
    }
    assertThat(Files.readAllLines(journal()).getFirst()).doesNotContain("\"kept\":0");
    try (PluginStore store = open()) {
      assertThat(store.state()).isEqualTo(before);
      assertThat(store.state().sequence()).isEqualTo(241);
    }
  }

  @Test
  void recordsAlthoughTheJournalCannotBeShortened() throws IOException {
    Steps full =
        step -> {
          if (step == Step.REWRITE_STARTED) {
            throw new IOException("No space left on device");
          }
        };
    try (PluginStore store = PluginStore.open(state(), Events.clock(), full)) {
      for (int i = 0; i < 40; i++) {
        store.record(new Refused("ring", "ring.jar", "TUTTI-401", "x".repeat(10_000)));
      }
      assertThat(store.notes())
          .singleElement()
          .asString()
          .contains("journal.jsonl cannot be shortened (its disk is full, with ")
          .endsWith("MiB left: make room); check its disk and its permissions");
    }
    try (PluginStore store = open()) {
      assertThat(store.state().sequence()).isEqualTo(40);
    }
  }

  @Test
  void recordsTheEventsOfManyThreads() throws InterruptedException, ExecutionException {
    try (PluginStore store = open()) {
      List<Future<Long>> futures = new ArrayList<>();
      try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
        for (int i = 0; i < 100; i++) {
          Unpinned event = new Unpinned("p" + i % 7);
          futures.add(threads.submit(() -> store.record(event).sequence()));
        }
      }
      List<Long> sequences = new ArrayList<>();
      for (Future<Long> future : futures) {
        sequences.add(future.get());
      }
      assertThat(sequences)
          .containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(1, 100).boxed().toList());
    }
    try (PluginStore store = open()) {
      assertThat(store.state().sequence()).isEqualTo(100);
      assertThat(store.state().plugins()).hasSize(7);
    }
  }
}
