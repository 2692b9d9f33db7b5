package dev.tutti.cli.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.base.idle.ManualClock;
import dev.tutti.base.idle.TickingClock;
import dev.tutti.cli.control.ControlClient;
import dev.tutti.cli.control.ControlServer;
import dev.tutti.plugin.store.StateDirectory;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(600)
class HostSearchTest {

  private static final Duration LONG = Duration.ofSeconds(50);

  private final ManualClock clock = new ManualClock();

  @TempDir private Path state;

  /** A search that has looked and sleeps until the next look. */
  private FutureTask<Optional<ControlClient>> search() {
    FutureTask<Optional<ControlClient>> search =
        new FutureTask<>(() -> new HostSearch(LONG, clock).await(state));
    Thread.ofPlatform().daemon().start(search);
    clock.awaitSleepers(1);
    return search;
  }

  @Test
  void whereNobodyHasTheDirectoryNobodyIsWaitedFor() {
    assertThat(new HostSearch(LONG, clock).await(state)).isEmpty();
    assertThat(new HostSearch(LONG, clock).await(state.resolve("missing"))).isEmpty();
  }

  @Test
  void aHostThatStartsIsWaitedFor() throws Exception {
    try (StateDirectory locked = StateDirectory.open(state)) {
      assertThat(locked.notes()).isEmpty();
      FutureTask<Optional<ControlClient>> search = search();

      try (ControlServer server = ControlServer.open(state, (request, out, err) -> 0)) {
        assertThat(search).isNotDone();
        clock.advance(LONG);
        try (ControlClient found = search.get().orElseThrow()) {
          assertThat(found.pid()).isEqualTo(server.pid());
        }
      }
    }
  }

  @Test
  void aCommandThatHasTheDirectoryIsWaitedFor() throws Exception {
    FutureTask<Optional<ControlClient>> search;
    try (StateDirectory locked = StateDirectory.open(state)) {
      assertThat(locked.notes()).isEmpty();
      search = search();
    }
    clock.advance(LONG);

    assertThat(search.get()).isEmpty();
  }

  @Test
  void aHostThatTakesNoCommandsIsNamed() {
    try (StateDirectory locked = StateDirectory.open(state)) {
      assertThat(locked.notes()).isEmpty();

      assertThatThrownBy(() -> new HostSearch(LONG, new TickingClock(Duration.ZERO)).await(state))
          .isInstanceOfSatisfying(
              TuttiException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.HOST_UNREACHABLE))
          .hasMessage(
              "process %d uses %s and accepted no command within 50 s: its host is still starting"
                      .formatted(ProcessHandle.current().pid(), state)
                  + ", or was not started by 'tutti serve'; try again when it prints that it"
                  + " serves");
    }
  }
}
