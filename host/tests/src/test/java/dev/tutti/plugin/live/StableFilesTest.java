package dev.tutti.plugin.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.base.idle.ManualClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StableFilesTest {

  private static final Duration APART = Duration.ofMillis(40);
  private static final Duration INSTANT = Duration.ofNanos(1);

  private final ManualClock clock = new ManualClock();
  private final StableFiles files = new StableFiles(clock);

  @TempDir private Path directory;

  /** Its time is to come, so that it does not count for a last change long ago. */
  private FileStamp stamp(String text) throws IOException {
    Path file = Files.writeString(directory.resolve("x.jar"), text);
    Files.setLastModifiedTime(file, FileTime.from(Instant.now().plus(Duration.ofDays(1))));
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
  void aFileThatWasGoneMeanwhileIsNew() throws IOException {
    FileStamp stamp = stamp("1");
    assertThat(files.isStable("x.jar", stamp)).isFalse();
    clock.advance(APART);
    files.retain(Set.of());
    assertThat(files.isStable("x.jar", stamp)).isFalse();
  }
}
