package dev.tutti.plugin.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.base.idle.ManualClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StableFilesTest {

  private static final Duration APART = Duration.ofMillis(40);
  private static final Duration QUIET = Duration.ofSeconds(2);
  private static final Duration INSTANT = Duration.ofNanos(1);

  private final ManualClock clock = new ManualClock();
  private Instant now = Instant.EPOCH;
  private final StableFiles files = new StableFiles(clock, () -> now);

  @TempDir private Path directory;

  /** The stamp of a file that was just written, unless a test advances the time of day. */
  private FileStamp stamp(String text) throws IOException {
    Path file = Files.writeString(directory.resolve("x.jar"), text);
    now = Files.getLastModifiedTime(file).toInstant().truncatedTo(ChronoUnit.MILLIS);
    return FileStamp.of(file);
  }

  @Test
  void aFileCountsWhenTwoLooksSomeTimeApartSeeTheSame() throws IOException {
    FileStamp stamp = stamp("1");
    assertThat(files.isStable("x.jar", stamp)).isFalse();
    clock.advance(APART.minus(INSTANT));
    assertThat(files.isStable("x.jar", stamp)).isFalse();
    clock.advance(INSTANT);
    assertThat(files.isStable("x.jar", stamp)).isTrue();
  }

  @Test
  void aChangeBeginsTheTimeAnew() throws IOException {
    assertThat(files.isStable("x.jar", stamp("1"))).isFalse();
    clock.advance(APART);
    FileStamp grown = stamp("12");
    assertThat(files.isStable("x.jar", grown)).isFalse();
    clock.advance(APART);
    assertThat(files.isStable("x.jar", grown)).isTrue();
  }

  @Test
  void aFileThatGrowsDoesNotCountUntilItIsWhole() throws IOException {
    FileStamp stamp = stamp("");
    for (int part = 1; part <= 8; part++) {
      stamp = stamp("x".repeat(part));
      assertThat(files.isStable("x.jar", stamp)).isFalse();
      clock.advance(APART.minus(INSTANT));
      assertThat(files.isStable("x.jar", stamp)).isFalse();
    }
    clock.advance(INSTANT);
    assertThat(files.isStable("x.jar", stamp)).isTrue();
  }

  @Test
  void aFileWhoseLastChangeIsLongAgoCountsAtOnce() throws IOException {
    FileStamp stamp = stamp("1");
    now = now.plus(QUIET.minus(INSTANT));
    assertThat(files.isStable("x.jar", stamp)).isFalse();
    now = now.plus(Duration.ofMillis(1));
    assertThat(files.isStable("x.jar", stamp)).isTrue();
  }

  @Test
  void aFileThatWasGoneMeanwhileIsNew() throws IOException {
    FileStamp stamp = stamp("1");
    assertThat(files.isStable("x.jar", stamp)).isFalse();
    clock.advance(APART);
    files.retain(Set.of());
    assertThat(files.isStable("x.jar", stamp)).isFalse();
  }
}
