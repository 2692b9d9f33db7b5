package dev.tutti.plugin.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.plugin.file.BoundedFile;
import dev.tutti.plugin.store.Step;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A jar was checked before it is copied, and may be another one by then. */
class InstallationTest {

  @TempDir private Path directory;
  private Path jar;
  private Path target;

  @BeforeEach
  void writeJars() throws IOException {
    jar = Files.writeString(directory.resolve("new.jar"), "new");
    Files.writeString(directory.resolve("new.jar.sig"), "signature");
    target = Files.writeString(directory.resolve("old.jar"), "old");
  }

  @ParameterizedTest
  @ValueSource(strings = {"new.jar", "new.jar.sig"})
  void whatHasBecomeTooLargeIsNotCopied(String name) {
    refusesWhenChanged(
        name,
        file -> {
          try (RandomAccessFile grown = new RandomAccessFile(file.toFile(), "rw")) {
            grown.setLength(BoundedFile.LARGEST_JAR + 1L);
          }
        },
        "it has more than ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"new.jar", "new.jar.sig"})
  void whatHasBecomeAPipeIsNotOpened(String name) {
    refusesWhenChanged(
        name,
        file -> {
          Files.delete(file);
          wait(new ProcessBuilder("mkfifo", file.toString()).start());
        },
        "it is a pipe, a socket or a device");
  }

  @Test
  void aJarIsCopiedWithItsSignature() throws IOException {
    try (Installation _ = Installation.copy(jar, target, step -> {})) {
      assertThat(target).hasContent("new");
    }
    assertThat(directory.resolve("old.jar.sig")).hasContent("signature");
  }

  private void refusesWhenChanged(String name, Change change, String reason) {
    assertThatThrownBy(
            () ->
                Installation.copy(
                    jar,
                    target,
                    step -> {
                      if (step == Step.INSTALL_CHECKED) {
                        change.apply(directory.resolve(name));
                      }
                    }))
        .isInstanceOfSatisfying(
            TuttiException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.OUTPUT_UNWRITABLE))
        .hasMessageContaining(name + ": " + reason);
    assertThat(target).hasContent("old");
    assertThat(directory).isDirectoryNotContaining("glob:**.part");
  }

  private static void wait(Process process) throws IOException {
    try {
      assertThat(process.waitFor()).isZero();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  private interface Change {
    void apply(Path file) throws IOException;
  }
}
