package dev.tutti.plugin.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tutti.host.Errors;
import dev.tutti.sdk.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class BlobStoreTest {

  private static final String ABC =
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

  @TempDir private Path directory;

  private Path jar;
  private Steps steps = Steps.NONE;
  private BlobStore store;

  @BeforeEach
  void open() throws IOException {
    jar = Files.writeString(directory.resolve("日本 Ünï.jar"), "abc");
    store = BlobStore.open(directory.resolve("store"), step -> steps.reached(step));
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(directory.resolve("store"))) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private StageResult.Stored staged(Path source) {
    StageResult result = store.stage(source);
    assertThat(result).isInstanceOf(StageResult.Stored.class);
    return (StageResult.Stored) result;
  }

  @Test
  void keepsACopyUnderItsHash() throws IOException {
    StageResult.Stored stored = staged(jar);
    assertThat(stored.sha256()).isEqualTo(ABC);
    assertThat(stored.bytes()).isEqualTo(3);
    assertThat(stored.path()).hasContent("abc");
    assertThat(names()).containsExactly(ABC + ".jar");
    assertThat(store.find(ABC)).hasValue(stored.path());
  }

  @Test
  void keepsTheCopyReadOnlyForItsOwner() throws IOException {
    assumeTrue(Durable.hasPermissions(directory));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(staged(jar).path())))
        .isEqualTo("r--------");
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(directory.resolve("store"))))
        .isEqualTo("rwx------");
  }

  @Test
  void copiesManyBuffers() throws IOException {
    byte[] bytes = new byte[300_001];
    new Random(3).nextBytes(bytes);
    Path source = Files.write(directory.resolve("big.jar"), bytes);
    StageResult.Stored stored = staged(source);
    assertThat(stored.path()).hasBinaryContent(bytes);
    assertThat(stored.bytes()).isEqualTo(bytes.length);
  }

  @Test
  void isNotTouchedByWhatHappensToTheSource() throws IOException {
    Path copy = staged(jar).path();
    Files.writeString(jar, "xyz");
    assertThat(copy).hasContent("abc");
    Files.delete(jar);
    assertThat(store.find(ABC)).hasValue(copy);
  }

  @Test
  void reusesACopyThatIsThere() throws IOException {
    Object first = Files.readAttributes(staged(jar).path(), "*").get("fileKey");
    assertThat(Files.readAttributes(staged(jar).path(), "*").get("fileKey")).isEqualTo(first);
    assertThat(names()).hasSize(1);
  }

  @Test
  void replacesACopyThatWasDamaged() throws IOException {
    Path copy = staged(jar).path();
    Files.delete(copy);
    Files.writeString(copy, "abd");
    assertThat(store.find(ABC)).isEmpty();
    assertThat(staged(jar).path()).hasContent("abc");
    assertThat(store.find(ABC)).hasValue(copy);
  }

  private interface Change {
    void make(Path jar) throws IOException;
  }

  private String changeWhileRead(Change change) throws IOException {
    steps =
        step -> {
          if (step == Step.COPY_WRITING) {
            steps = Steps.NONE;
            change.make(jar);
          }
        };
    StageResult result = store.stage(jar);
    assertThat(names()).isEmpty();
    assertThat(result).isInstanceOf(StageResult.Changing.class);
    return ((StageResult.Changing) result).reason();
  }

  @Test
  void seesASourceThatGrows() throws IOException {
    assertThat(changeWhileRead(it -> Files.writeString(it, "more", StandardOpenOption.APPEND)))
        .isEqualTo(jar + " went from 3 to 7 bytes while it was read");
  }

  @Test
  void seesASourceThatShrinks() throws IOException {
    assertThat(changeWhileRead(it -> Files.writeString(it, "a")))
        .startsWith(jar + " went from 3 to ");
  }

  @Test
  void seesASourceThatIsWritten() throws IOException {
    Files.setLastModifiedTime(jar, FileTime.fromMillis(1000));
    assertThat(changeWhileRead(it -> Files.setLastModifiedTime(it, FileTime.fromMillis(2000))))
        .isEqualTo(jar + " was written while it was read");
  }

  @Test
  void seesASourceThatIsReplaced() throws IOException {
    Path other = Files.writeString(directory.resolve("other"), "abd");
    Files.setLastModifiedTime(other, Files.getLastModifiedTime(jar));
    assertThat(changeWhileRead(it -> Files.move(other, it, StandardCopyOption.REPLACE_EXISTING)))
        .isEqualTo(jar + " was replaced while it was read");
  }

  @Test
  void leavesNothingWhenTheSourceVanishes() throws IOException {
    steps =
        step -> {
          if (step == Step.COPY_WRITING) {
            Files.delete(jar);
          }
        };
    assertThat(Errors.message(ErrorCode.PLUGIN_UNREADABLE, () -> store.stage(jar)))
        .isEqualTo(jar + " is not there");
    assertThat(names()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"COPY_STARTED", "COPY_WRITING", "COPY_SYNCED"})
  void leavesNothingWhenTheDiskIsFull(Step full) throws IOException {
    steps =
        step -> {
          if (step == full) {
            throw new IOException("No space left on device");
          }
        };
    assertThat(Errors.message(ErrorCode.PLUGIN_STATE, () -> store.stage(jar)))
        .startsWith(
            "%s cannot be copied into %s (its disk is full, with "
                .formatted(jar, directory.resolve("store")))
        .endsWith("MiB left: make room); make room there, or make it writable");
    assertThat(names()).isEmpty();
    steps = Steps.NONE;
    staged(jar);
  }

  @Test
  void saysWhatCannotBeCopied() {
    Path missing = directory.resolve("missing.jar");
    assertThat(Errors.message(ErrorCode.PLUGIN_UNREADABLE, () -> store.stage(missing)))
        .isEqualTo(missing + " is not there");
    assertThat(Errors.message(ErrorCode.PLUGIN_UNREADABLE, () -> store.stage(directory)))
        .isEqualTo(directory + " must be a file. Actual: a directory");
  }

  @Test
  void finishesACopyWhenItsThreadIsInterrupted() {
    Thread.currentThread().interrupt();
    StageResult result = store.stage(jar);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(result).isInstanceOf(StageResult.Stored.class);
  }

  @Test
  void deletesWhatDeadProcessesLeft() throws IOException {
    staged(jar);
    Files.writeString(directory.resolve("store").resolve("copy-1.tmp"), "a");
    BlobStore.open(directory.resolve("store"), Steps.NONE);
    assertThat(names()).containsExactly(ABC + ".jar");
  }

  @Test
  void sweepsWhatIsNotKeptAndLeavesOtherFilesAlone() throws IOException {
    staged(jar);
    Files.writeString(jar, "abd");
    String other = staged(jar).sha256();
    Files.writeString(directory.resolve("store").resolve("notes.jar"), "mine");
    assertThat(store.sweep(Set.of(ABC))).containsExactly(other);
    assertThat(names()).containsExactly(ABC + ".jar", "notes.jar");
    assertThat(store.delete(ABC)).isTrue();
    assertThat(store.delete(ABC)).isFalse();
    assertThat(store.find(ABC)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "../../x", "BA78", ABC + "0"})
  void takesHashesOnly(String hash) {
    assertThat(Errors.message(ErrorCode.INVALID_ARGUMENT, () -> store.find(hash)))
        .isEqualTo("a hash must have 64 lower-case hexadecimal digits. Actual: '" + hash + "'");
    Errors.message(ErrorCode.INVALID_ARGUMENT, () -> store.delete(hash));
  }
}
