package dev.tutti.plugin.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.host.Await;
import dev.tutti.plugin.PluginProblem;
import dev.tutti.plugin.PluginStatus;
import dev.tutti.plugin.PluginStatus.State;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A host that requires signatures serves the plugins that a key in the current trust file has
 * signed.
 */
@Timeout(600)
class SignedPluginsTest {

  @TempDir private Path directory;
  private Path plugins;
  private Path trust;
  private final SigningKeys alice = SigningKeys.of("alice");
  private final SigningKeys bob = SigningKeys.of("bob");
  private final List<String> news = new CopyOnWriteArrayList<>();
  private LivePlugins live;

  @BeforeEach
  void makeFiles() throws IOException {
    plugins = Files.createDirectory(directory.resolve("plugins"));
    trust = Files.writeString(directory.resolve("trust"), alice.line() + bob.line());
  }

  @AfterEach
  void close() {
    if (live != null) {
      live.close();
    }
  }

  private LiveSettings settings() {
    return LiveSettings.of(plugins, directory.resolve("state")).withNews(news::add);
  }

  private void openTrusting() {
    open(settings().withTrust(trust));
  }

  private void open(LiveSettings settings) {
    close();
    live = null;
    live = LivePlugins.open(settings, List.of());
  }

  private Path drop(String file, String version) {
    return LiveJars.jar(plugins.resolve(file), version, LiveSamples.Right.class);
  }

  private Path signed(SigningKeys by, String file, String version) throws IOException {
    Path jar = LiveJars.jar(directory.resolve(file), version, LiveSamples.Right.class);
    Files.write(plugins.resolve(file + ".sig"), by.signature(jar));
    return Files.move(jar, plugins.resolve(file), StandardCopyOption.REPLACE_EXISTING);
  }

  private List<String> served() {
    return live.catalogues().current().plugins().plugins().stream()
        .map(it -> it.version())
        .toList();
  }

  private PluginStatus version(String version) {
    return live.list().stream()
        .filter(it -> it.version().equals(version))
        .findFirst()
        .orElseThrow();
  }

  private void awaitServed(String... versions) {
    Await.until(() -> served().equals(List.of(versions)));
  }

  /** Makes a file that cannot be a jar and is too old to be an incomplete copy. */
  private static void ruin(Path jar) throws IOException {
    Files.writeString(jar, "no jar");
    Files.setLastModifiedTime(jar, FileTime.fromMillis(1_000_000));
  }

  @Test
  void whatWasNeverSignedDoesNotGoOnFromTheStore() throws IOException {
    Path jar = drop("pull.jar", "1.0.0");
    open(settings());
    assertThat(served()).containsExactly("1.0.0");
    ruin(jar);
    live.rescan();
    assertThat(served()).containsExactly("1.0.0");

    openTrusting();

    assertThat(served()).isEmpty();
    assertThat(news)
        .anyMatch(it -> it.contains("1.0.0 no longer serves: ") && it.contains("signed"));
  }

  @Test
  void whatIsSignedGoesOnFromTheStoreAlsoAfterARestart() throws IOException {
    Path jar = signed(alice, "pull.jar", "1.0.0");
    openTrusting();
    ruin(jar);
    Files.delete(plugins.resolve("pull.jar.sig"));
    live.rescan();
    assertThat(served()).containsExactly("1.0.0");

    openTrusting();

    assertThat(served()).containsExactly("1.0.0");
    assertThat(version("1.0.0").signature()).isEqualTo("signed by alice");
    Files.writeString(trust, bob.line());
    awaitServed();
    openTrusting();
    assertThat(served()).isEmpty();
  }

  @Test
  void aJarWhoseSignatureIsDeletedEndsAndServesWhenItIsBack() throws IOException {
    Path jar = signed(alice, "pull.jar", "1.0.0");
    openTrusting();
    assertThat(version("1.0.0").state()).isEqualTo(State.SERVING);

    Files.delete(plugins.resolve("pull.jar.sig"));
    awaitServed();
    live.awaitDrained(Duration.ofMinutes(1));

    assertThat(version("1.0.0").state()).isIn(State.QUARANTINED, State.UNLOADING);
    assertThat(live.catalogues().current().plugins().problems())
        .extracting(PluginProblem::code)
        .containsExactly(ErrorCode.PLUGIN_SIGNATURE);
    assertThat(live.why(LiveJars.ID)).contains("pull.jar (1.0.0) is not signed");
    openTrusting();
    assertThat(served()).isEmpty();
    assertThat(version("1.0.0").reason()).isEqualTo("[TUTTI-408] it is not signed");
    alice.sign(jar);
    awaitServed("1.0.0");
  }

  @Test
  void aKeyThatIsWithdrawnTakesItsPluginsOutAndLetsThemInWhenItIsBack() throws IOException {
    signed(alice, "a.jar", "1.0.0");
    signed(bob, "b.jar", "1.1.0");
    openTrusting();
    assertThat(served()).containsExactly("1.1.0");
    assertThat(version("1.1.0").signature()).isEqualTo("signed by bob");
    assertThat(live.why(LiveJars.ID)).contains("It is signed by bob.");

    Files.writeString(trust, alice.line());
    awaitServed("1.0.0");
    assertThatThrownBy(() -> live.pin(LiveJars.ID, "1.1.0"))
        .isInstanceOfSatisfying(
            TuttiException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.PLUGIN_SIGNATURE))
        .hasMessageContaining("not signed by a trusted key");
    Files.writeString(trust, "# nobody\n");
    awaitServed();
    assertThat(news).anyMatch(it -> it.contains("no longer names a key"));
    Files.writeString(trust, bob.line() + alice.line());
    awaitServed("1.1.0");
  }

  @Test
  void aRollbackDoesNotReturnToWhatNobodyTrustsAnyMore() throws IOException {
    signed(bob, "pull.jar", "1.0.0");
    openTrusting();
    signed(alice, "pull.jar", "1.1.0");
    live.rescan();
    assertThat(served()).containsExactly("1.1.0");
    assertThat(live.awaitDrained(Duration.ofMinutes(1))).isTrue();
    assertThat(version("1.0.0").state()).isEqualTo(State.PREVIOUS);

    Files.writeString(trust, alice.line());
    Await.until(() -> news.stream().anyMatch(it -> it.endsWith("names alice now")));

    assertThatThrownBy(() -> live.rollback(LiveJars.ID))
        .hasMessageContaining("1.1.0 has nothing to go back to");
    openTrusting();
    assertThatThrownBy(() -> live.rollback(LiveJars.ID))
        .hasMessageContaining("1.1.0 has nothing to go back to");
    Files.writeString(trust, alice.line() + bob.line());
    Await.until(() -> news.stream().anyMatch(it -> it.endsWith("names alice, bob now")));
    assertThat(live.rollback(LiveJars.ID).version()).isEqualTo("1.0.0");
  }

  @Test
  void aDamagedTrustFileKeepsWhatIsLoadedAndLetsNothingElseIn() throws IOException {
    signed(alice, "a.jar", "1.0.0");
    openTrusting();

    Files.writeString(trust, alice.line() + "bob is my friend\n");
    Await.until(() -> news.stream().anyMatch(it -> it.contains("no other plugin is admitted")));
    Path jar = signed(alice, "b.jar", "1.1.0");
    live.rescan();

    assertThat(served()).containsExactly("1.0.0");
    assertThat(live.why(LiveJars.ID)).contains("b.jar (1.1.0) waits, because the trust file ");
    assertThatThrownBy(() -> live.install(jar))
        .isInstanceOfSatisfying(
            TuttiException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.PLUGIN_SIGNATURE))
        .hasMessageContaining("no plugin is admitted");
    Files.delete(trust);
    Await.until(() -> news.stream().anyMatch(it -> it.contains("NoSuchFile")));
    assertThat(served()).containsExactly("1.0.0");
    Files.writeString(trust, alice.line());
    awaitServed("1.1.0");
    Files.writeString(trust, "nonsense");
    assertThatThrownBy(this::openTrusting).hasMessageContaining("line 1: it must be a name");
    Files.writeString(trust, alice.line());
    openTrusting();
    assertThat(served()).containsExactly("1.1.0");
  }

  @Test
  void aSignatureThatComesBeforeItsJarTakesNothingOut() throws IOException {
    signed(alice, "pull.jar", "1.0.0");
    openTrusting();
    Path next = LiveJars.jar(directory.resolve("next.jar"), "1.1.0", LiveSamples.Right.class);
    Files.write(plugins.resolve("pull.jar.sig"), alice.signature(next));
    assertThat(live.list()).isNotEmpty();
    Await.until(
        () -> live.list().stream().anyMatch(it -> it.reason().contains("by a trusted key")));

    assertThat(served()).containsExactly("1.0.0");
    Files.move(next, plugins.resolve("pull.jar"), StandardCopyOption.REPLACE_EXISTING);

    awaitServed("1.1.0");
    assertThat(news).noneMatch(it -> it.contains("no longer serves"));
  }

  @Test
  void anOldSignatureOfOtherBytesTakesAJarOut() throws IOException {
    signed(alice, "pull.jar", "1.0.0");
    openTrusting();

    Path signature = Files.write(directory.resolve("sig"), new byte[64]);
    Files.setLastModifiedTime(signature, FileTime.fromMillis(1_000_000));
    Files.move(signature, plugins.resolve("pull.jar.sig"), StandardCopyOption.REPLACE_EXISTING);

    awaitServed();
    assertThat(version("1.0.0").signature()).startsWith("not signed by a trusted key");
  }

  @Test
  void oneGoodSignatureOfTwoFilesOfOneContentIsEnough() throws IOException {
    Path jar = signed(alice, "a.jar", "1.0.0");
    Files.copy(jar, plugins.resolve("b.jar"));

    openTrusting();

    assertThat(served()).containsExactly("1.0.0");
    assertThat(live.rescan()).isEmpty();
    assertThat(served()).containsExactly("1.0.0");
  }

  @Test
  void signaturesThatAreNoFilesAreRefusedAndTheOthersServe() throws Exception {
    for (String each : List.of("pipe", "directory", "loop", "huge")) {
      LiveJars.plugin("org.example." + each, "1.0.0", LiveSamples.Right.class)
          .write(plugins.resolve(each + ".jar"));
    }
    assertThat(new ProcessBuilder("mkfifo", plugins + "/pipe.jar.sig").start().waitFor()).isZero();
    Files.createDirectory(plugins.resolve("directory.jar.sig"));
    Path loop = plugins.resolve("loop.jar.sig");
    Files.createSymbolicLink(loop, loop);
    try (RandomAccessFile file = new RandomAccessFile(plugins + "/huge.jar.sig", "rw")) {
      file.setLength(6L << 30);
    }
    signed(alice, "good.jar", "1.0.0");
    List.of("pipe", "directory", "huge")
        .forEach(
            it ->
                assertThat(plugins.resolve(it + ".jar.sig").toFile().setLastModified(1)).isTrue());

    openTrusting();

    assertThat(served()).containsExactly("1.0.0");
    assertThat(news)
        .filteredOn(it -> it.contains(" is refused: [TUTTI-408] its signature cannot be read ("))
        .hasSize(4);
  }

  @Test
  void theJournalDoesNotGrowWithLooksAtWhatIsRefused() throws IOException {
    drop("a.jar", "1.0.0");
    ruin(plugins.resolve("b.jar"));
    openTrusting();
    long size = Files.size(directory.resolve("state").resolve("journal.jsonl"));

    for (int i = 0; i < 3; i++) {
      live.rescan();
    }
    openTrusting();

    assertThat(directory.resolve("state").resolve("journal.jsonl")).hasSize(size);
  }
}
