package dev.tutti.plugin.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tutti.host.Errors;
import dev.tutti.sdk.ErrorCode;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class StateDirectoryTest {

  private static final long SELF = ProcessHandle.current().pid();

  @TempDir private Path directory;

  private Path state() {
    return directory.resolve("new").resolve("state");
  }

  @Test
  void isMadeForItsOwnerAlone() throws IOException {
    try (StateDirectory opened = StateDirectory.open(state())) {
      assertThat(opened.path()).isDirectory();
      assumeTrue(Durable.hasPermissions(directory));
      assertThat(opened.notes()).isEmpty();
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(opened.path())))
          .isEqualTo("rwx------");
    }
  }

  @Test
  void isTakenFromOthersWhoCouldRead() throws IOException {
    assumeTrue(Durable.hasPermissions(directory));
    Files.createDirectories(state());
    Files.setPosixFilePermissions(state(), PosixFilePermissions.fromString("rwxrwxrwx"));
    StateDirectory.open(state()).close();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(state())))
        .isEqualTo("rwx------");
  }

  @Test
  void saysWhereThereAreNoPermissions() throws IOException {
    Path zip = directory.resolve("files.zip");
    try (FileSystem files = FileSystems.newFileSystem(zip, Map.of("create", "true"))) {
      assertThat(Durable.hasPermissions(files.getPath("/"))).isFalse();
      Durable.permit(files.getPath("/"), "rwx------");
    }
  }

  @Test
  void isNotGivenToASecondHostOfThisProcess() throws IOException {
    try (StateDirectory first = StateDirectory.open(state())) {
      Path alias = directory.resolve("alias");
      Files.createSymbolicLink(alias, first.path());
      assertThat(Errors.message(ErrorCode.PLUGIN_STATE, () -> StateDirectory.open(alias)))
          .isEqualTo(
              "the state directory %s is in use by the host in this process %d; stop that host, or"
                  + " give this one another state directory",
              first.path(), SELF);
    }
    StateDirectory.open(state()).close();
  }

  @Test
  void isNotGivenToAnotherProcessEvenAfterThisOneHasLooked() throws Exception {
    try (StateDirectory first = StateDirectory.open(state())) {
      Errors.message(ErrorCode.PLUGIN_STATE, () -> StateDirectory.open(state()));
      assertThat(StateDirectory.owner(state())).hasValue(SELF);
      Process other = Children.start(HoldingHost.class, state());
      assertThat(Children.output(other).readLine())
          .startsWith("the state directory " + first.path() + " is in use by the host in process ")
          .contains(" process " + SELF + ";");
      assertThat(other.waitFor(30, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void isFreeAsSoonAsItsProcessIsKilled() throws Exception {
    assertThat(StateDirectory.owner(state())).isEmpty();
    Process other = Children.start(HoldingHost.class, state());
    assertThat(Children.output(other).readLine()).startsWith("holds ");
    assertThat(StateDirectory.owner(state())).hasValue(other.pid());
    assertThat(Errors.message(ErrorCode.PLUGIN_STATE, () -> StateDirectory.open(state())))
        .contains("in use by the host in process " + other.pid());
    assertThat(StateDirectory.owner(state())).hasValue(other.pid());

    Children.kill(other);
    assertThat(StateDirectory.owner(state())).isEmpty();
    StateDirectory.open(state()).close();
    assertThat(StateDirectory.owner(state())).isEmpty();
  }

  @Test
  void isFreeAfterItWasClosedOnceOrTwice() {
    StateDirectory first = StateDirectory.open(state());
    first.close();
    try (StateDirectory second = StateDirectory.open(state())) {
      first.close();
      assertThat(StateDirectory.owner(second.path())).hasValue(SELF);
      Errors.message(ErrorCode.PLUGIN_STATE, () -> StateDirectory.open(state()));
    }
  }

  /** The names of entries that a state directory may have; empty for the directory itself. */
  @ParameterizedTest
  @ValueSource(strings = {"", "lock", "journal.jsonl", "store", "control.sock", "control.json"})
  void isRefusedIfAnotherUserOwnsAnyOfIt(String name) throws IOException {
    Path state = Files.createDirectories(state());
    Path foreign = foreign();
    if (name.isEmpty()) {
      Files.delete(state);
      Files.createSymbolicLink(state, foreign);
    } else {
      Files.createSymbolicLink(state.resolve(name), foreign);
    }

    String message = Errors.message(ErrorCode.PLUGIN_STATE, () -> StateDirectory.open(state));

    assertThat(message)
        .startsWith(state.resolve(name) + " belongs to user ")
        .contains(", and this process runs as user ")
        .contains("or name a state directory of user ");
    if (name.isEmpty()) {
      assertThat(Errors.message(ErrorCode.PLUGIN_STATE, () -> StateDirectory.owner(state)))
          .isEqualTo(message);
      assertThat(foreign).isEmptyDirectory();
    }
  }

  /** A directory of another user: root may give one away, others may look for one of root. */
  private Path foreign() throws IOException {
    Path given = Files.createDirectory(directory.resolve("foreign"));
    UserPrincipal user = Files.getOwner(given);
    try {
      Files.setOwner(
          given,
          given.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
      return given;
    } catch (IOException e) {
      Path root = Path.of("/var/empty");
      assumeTrue(
          Files.isDirectory(root) && !Files.getOwner(root).equals(user),
          "no directory of another user can be had here");
      return root;
    }
  }

  @Test
  void isNotLockedByWhoOnlyAsksForItsOwner() throws Exception {
    StateDirectory.open(state()).close();
    assertThat(state().resolve("lock")).isEmptyFile();

    // A dead process: the lock that it held is not tried.
    Process dead = Children.start(HoldingHost.class, state());
    assertThat(Children.output(dead).readLine()).startsWith("holds ");
    Children.kill(dead);
    assertThat(Files.readString(state().resolve("lock")).trim())
        .isEqualTo(String.valueOf(dead.pid()));
    assertThat(StateDirectory.owner(state())).isEmpty();
  }

  @Test
  void mustBeADirectory() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "");
    assertThat(Errors.message(ErrorCode.PLUGIN_STATE, () -> StateDirectory.open(file)))
        .startsWith("the state directory " + file + " cannot be used (");
    assertThat(StateDirectory.owner(file)).isEmpty();
  }
}
