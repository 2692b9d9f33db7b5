package dev.tutti.cli.dev;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.base.idle.Clock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(600)
class SourceWatcherTest {

  @TempDir private Path root;
  private Path source;
  private SourceWatcher watcher;

  @BeforeEach
  void watch() throws IOException {
    source = Files.createDirectories(root.resolve("src/main/java/p")).resolve("A.java");
    Files.writeString(source, "class A {}");
    watcher = SourceWatcher.open(root, Clock.system());
  }

  @AfterEach
  void end() {
    watcher.close();
  }

  private ProjectFiles next(SourceWatcher.Save known) {
    return Objects.requireNonNull(watcher.awaitNext(known)).files();
  }

  @Test
  void aFileThatIsReplacedHasChangedAndOneThatIsTouchedHasNot() throws IOException {
    SourceWatcher.Save first = watcher.latest();
    Files.setLastModifiedTime(source, FileTime.from(Instant.EPOCH));
    watcher.publish(new SourceWatcher.Save(ProjectFiles.read(root), 0, true));
    assertThat(watcher.isOutdated(first)).isFalse();

    DevSession.save(source, "class A { }");

    ProjectFiles second = next(first);

    assertThat(watcher.isOutdated(first)).isTrue();
    assertThat(second.sources()).containsExactly(source);
    assertThat(second).isNotEqualTo(first.files()).isEqualTo(ProjectFiles.read(root));
    assertThat(watcher.isOutdated(watcher.latest())).isFalse();
  }

  @Test
  void filesInNewDirectoriesAreNoticedAndWhatEditorsLeaveIsNot() throws IOException {
    SourceWatcher.Save first = watcher.latest();
    Path added = Files.createDirectories(source.resolveSibling("q/r")).resolve("B.java");
    Files.writeString(added.resolveSibling(".B.java.swp"), "x");
    Files.writeString(added.resolveSibling("B.java~"), "x");
    Files.writeString(added, "class B {}");
    assertThat(next(first).sources()).containsExactly(source, added);
    SourceWatcher.Save known = watcher.latest();
    DevSession.save(added, "class B { }");
    assertThat(next(known)).isNotEqualTo(known.files());

    SourceWatcher.Save second = watcher.latest();
    Path resource = Files.createDirectories(root.resolve("src/main/resources")).resolve("r.txt");
    Files.writeString(resource, "r");
    ProjectFiles third = next(second);
    assertThat(third.resources()).containsExactly(resource);
    assertThat(third.sources()).containsExactly(source, added);

    SourceWatcher.Save before = watcher.latest();
    Files.writeString(root.resolve("pom.xml"), "<project/>");
    assertThat(next(before).pomContent()).isNotEmpty();
  }

  @Test
  void aWatchThatIsStoppedHasNoNextState() {
    SourceWatcher.Save first = watcher.latest();
    watcher.stop();

    assertThat(watcher.awaitNext(first)).isNull();
    assertThat(watcher.isOutdated(first)).isTrue();
  }
}
