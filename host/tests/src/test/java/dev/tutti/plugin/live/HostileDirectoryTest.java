package dev.tutti.plugin.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.Await;
import dev.tutti.plugin.PluginProblem;
import dev.tutti.plugin.PluginStatus;
import dev.tutti.plugin.PluginStatus.State;
import dev.tutti.plugin.store.Step;
import dev.tutti.plugin.store.Steps;
import dev.tutti.sdk.ErrorCode;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files that would keep a reader waiting, fill a disk, or be read again and again. */
@Timeout(600)
class HostileDirectoryTest {

  @TempDir private Path directory;
  private Path plugins;
  private final List<String> news = new CopyOnWriteArrayList<>();
  private final AtomicInteger copies = new AtomicInteger();

  @BeforeEach
  void makeDirectory() throws IOException {
    plugins = Files.createDirectory(directory.resolve("plugins"));
    LiveJars.jar(plugins.resolve("good.jar"), "1.0.0", LiveSamples.Right.class);
  }

  private LivePlugins open() {
    return open(
        step -> {
          if (step == Step.COPY_STARTED) {
            copies.incrementAndGet();
          }
        });
  }

  private LivePlugins open(Steps steps) {
    LiveSettings settings =
        LiveSettings.of(plugins, directory.resolve("state")).withNews(news::add).withSteps(steps);
    return LivePlugins.open(settings, List.of());
  }

  private static List<String> served(LivePlugins live) {
    return live.catalogues().current().plugins().plugins().stream()
        .map(it -> it.id() + " " + it.version())
        .toList();
  }

  @Test
  void whatIsNoFileOrTooLargeIsRefusedUnopenedAndTheOthersServe() throws Exception {
    assertThat(new ProcessBuilder("mkfifo", plugins + "/pipe.jar").start().waitFor()).isZero();
    Files.createDirectory(plugins.resolve("directory.jar"));
    Files.createSymbolicLink(plugins.resolve("device.jar"), Path.of("/dev/zero"));
    Files.createSymbolicLink(plugins.resolve("pipe-link.jar"), plugins.resolve("pipe.jar"));
    Path loop = plugins.resolve("loop.jar");
    Files.createSymbolicLink(loop, loop);
    try (RandomAccessFile file = new RandomAccessFile(plugins + "/huge.jar", "rw")) {
      file.setLength(8L << 30);
    }
    LiveJars.jar(plugins.resolve("n".repeat(251) + ".jar"), "2.0.0", LiveSamples.Right.class);
    Path socket = Path.of("s.jar");
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      Path bound = Files.createTempDirectory("t").resolve(socket);
      server.bind(UnixDomainSocketAddress.of(bound));
      Files.createSymbolicLink(plugins.resolve("socket.jar"), bound);

      try (LivePlugins live = open()) {
        assertThat(served(live)).containsExactly(LiveJars.ID + " 1.0.0");
        assertThat(live.list())
            .filteredOn(it -> it.state() == State.QUARANTINED)
            .extracting(it -> it.file().getFileName().toString().replaceAll("n{251}", "long"))
            .containsExactlyInAnyOrder(
                "pipe.jar",
                "directory.jar",
                "device.jar",
                "pipe-link.jar",
                "loop.jar",
                "huge.jar",
                "long.jar",
                "socket.jar");
        assertThat(live.catalogues().current().plugins().problems())
            .extracting(PluginProblem::code)
            .containsOnly(ErrorCode.PLUGIN_UNREADABLE);
        assertThat(live.why("huge.jar")).contains("it is larger than 64 MiB");
        assertThat(live.why("pipe.jar")).contains("it is a pipe, a socket or a device, not a jar");
        assertThat(copies).hasValue(1);
      } finally {
        Files.delete(bound);
        Files.delete(bound.getParent());
      }
    }
  }

  @Test
  void aDamagedYoungJarIsNotReadAgainUntilItChangesOrIsOld() throws IOException {
    try (LivePlugins live = open()) {
      Path bad = Files.writeString(plugins.resolve("bad.jar"), "no jar");
      Await.until(
          () -> live.list().stream().anyMatch(it -> it.reason().contains("it is not a jar")));
      // Any further read would fail, although the stamp is the same.
      List<PluginStatus> before = live.list();

      assertThat(before).anyMatch(it -> it.reason().contains("it is not a jar"));
      assertThat(news).noneMatch(it -> it.contains("bad.jar"));
      assertThat(copies).hasValue(1);
      Await.until(() -> news.stream().anyMatch(it -> it.startsWith("bad.jar is refused")));
      assertThat(copies).hasValue(1);
      assertThat(directory.resolve("state/store")).isDirectoryNotContaining("glob:**.tmp");
      assertThat(bad).exists();
    }
  }

  @Test
  void aFileThatGrowsForEverHoldsNobodyUp() throws Exception {
    try (LivePlugins live = open()) {
      List<String> seen = new ArrayList<>();
      Path growing = plugins.resolve("growing.jar");
      try (RandomAccessFile file = new RandomAccessFile(growing.toFile(), "rw")) {
        file.setLength(1 << 20);
        Path jar = LiveJars.jar(directory.resolve("next.jar"), "1.1.0", LiveSamples.Right.class);
        Thread writer =
            Thread.ofPlatform()
                .daemon()
                .start(
                    () -> {
                      while (!Thread.currentThread().isInterrupted()) {
                        assertThat(growing.toFile().setLastModified(System.currentTimeMillis()))
                            .isTrue();
                      }
                    });
        live.install(jar);
        seen.addAll(served(live));
        writer.interrupt();
        writer.join();
      }
      assertThat(seen).containsExactly(LiveJars.ID + " 1.1.0");
      assertThat(news).noneMatch(it -> it.contains("growing.jar"));
    }
  }

  @Test
  void listAndWhyAnswerWhileAJarIsTakenIn() throws Exception {
    CountDownLatch isCopying = new CountDownLatch(1);
    CountDownLatch mayGoOn = new CountDownLatch(1);
    AtomicInteger started = new AtomicInteger();
    Steps steps =
        step -> {
          if (step == Step.COPY_STARTED && started.incrementAndGet() == 2) {
            isCopying.countDown();
            Await.latch(mayGoOn);
          }
        };
    try (LivePlugins live = open(steps)) {
      LiveJars.jar(plugins.resolve("next.jar"), "1.1.0", LiveSamples.Right.class);
      isCopying.await();

      assertThat(live.list()).extracting(PluginStatus::version).contains("1.0.0");
      assertThat(live.why(LiveJars.ID)).contains("1.0.0 (good.jar");

      mayGoOn.countDown();
      Await.until(() -> served(live).equals(List.of(LiveJars.ID + " 1.1.0")));
    }
  }

  @Test
  void hundredsOfFilesThatAreNoJarsAreRefusedWithoutBeingCopied() throws IOException {
    int files = 500;
    for (int i = 0; i < files; i++) {
      Path file = Files.writeString(plugins.resolve("no" + i + ".jar"), "no jar " + i);
      Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000));
    }

    try (LivePlugins live = open()) {
      assertThat(served(live)).containsExactly(LiveJars.ID + " 1.0.0");
      assertThat(live.list()).hasSize(files + 1);
      assertThat(copies).hasValue(1);
    }
  }

  @Test
  void namesWithControlCharactersAreFineAndNamesThatAreNoTextAreRefused() throws Exception {
    Files.copy(plugins.resolve("good.jar"), plugins.resolve("a\nb\u001b[31m.jar"));
    Process process =
        new ProcessBuilder("sh", "-c", "printf x > \"$(printf 'bad\\377name').jar\"")
            .directory(plugins.toFile())
            .start();
    assertThat(process.waitFor()).isZero();

    try (LivePlugins live = open()) {
      assertThat(served(live)).containsExactly(LiveJars.ID + " 1.0.0");
      assertThat(live.list())
          .filteredOn(it -> it.state() == State.QUARANTINED)
          .singleElement()
          .satisfies(it -> assertThat(it.reason()).contains("cannot be written in this system's"));
    }
  }
}
