package dev.tutti.host.swap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.host.job.BodyReader;
import dev.tutti.plugin.live.ServedJar;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jars that rank 0 sends to processes without its files. */
final class FetchedJarsTest {

  private static final long PATIENCE = Duration.ofMinutes(2).toNanos();

  @TempDir private Path directory;

  private ServedJar jar(int bytes) throws IOException {
    byte[] content = new byte[bytes];
    new Random(bytes).nextBytes(content);
    Path copy = Files.write(directory.resolve("copy.jar"), content);
    return new ServedJar("a.plugin", "1.0.0", "abc", copy, Path.of("a.jar"));
  }

  private static SwapMessage received(SwapMessage sent) {
    return SwapMessage.read(new BodyReader(sent.body().bytes()));
  }

  /** Jars from a rank 0 that answers at once, from a copy. */
  private static FetchedJars fetching(Path copy) {
    AtomicReference<FetchedJars> own = new AtomicReference<>();
    FetchedJars jars =
        new FetchedJars(
            1,
            asked -> {
              SwapMessage.Wanted wanted = (SwapMessage.Wanted) received(asked);
              assertThat(wanted.content()).isEqualTo("abc");
              switch (received(FetchedJars.answer(wanted, copy))) {
                case SwapMessage.Part part -> own.get().receive(part);
                case SwapMessage.Unsent unsent -> own.get().fail(unsent.reason());
                default -> throw new AssertionError();
              }
            },
            PATIENCE);
    own.set(jars);
    return jars;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 1 << 20, (1 << 20) + 1, 3 << 20, (5 << 20) / 2})
  void partsMakeTheWholeJar(int bytes) throws IOException {
    ServedJar jar = jar(bytes);
    Path file;
    try (FetchedJars jars = fetching(jar.copy())) {
      file = jars.fileOf(jar);
      assertThat(file).hasSameBinaryContentAs(jar.copy()).isNotEqualTo(jar.copy());
    }
    assertThat(file).doesNotExist();
  }

  @Test
  void aCopyThatRankZeroCannotReadIsNamed() throws IOException {
    ServedJar jar = jar(1);
    try (FetchedJars jars = fetching(directory.resolve("none.jar"))) {
      assertThatThrownBy(() -> jars.fileOf(jar))
          .isInstanceOfSatisfying(
              TuttiException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.PLUGIN_UNREADABLE))
          .hasMessageContaining("rank 0 cannot read its copy of the jar")
          .hasMessageContaining("none.jar");
    }
  }

  @Test
  void theEndOfRankZeroEndsTheWait() throws IOException {
    ServedJar jar = jar(1);
    TuttiException lost = new TuttiException(ErrorCode.PEER_LOST, "rank 0 has ended");
    AtomicReference<FetchedJars> own = new AtomicReference<>();
    try (FetchedJars jars = new FetchedJars(1, asked -> own.get().fail(lost), PATIENCE)) {
      own.set(jars);
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> jars.fileOf(jar)).hasMessageContaining("rank 0 has ended");
      }
    }
  }

  @Test
  void anAnswerIsNotAwaitedForEver() throws IOException {
    ServedJar jar = jar(1);
    try (FetchedJars jars = new FetchedJars(1, asked -> {}, 1_000_000)) {
      assertThatThrownBy(() -> jars.fileOf(jar))
          .hasMessageContaining("rank 0 has not sent the jar of a.plugin 1.0.0 within 1 ms");
    }
  }
}
