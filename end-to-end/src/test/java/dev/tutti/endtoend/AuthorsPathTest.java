package dev.tutti.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * What an author does after {@code ./mvnw verify} has passed in the project that the archetype
 * made: the jar is dropped into a host that runs, and then come an upgrade, one that is broken, and
 * the end.
 */
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class AuthorsPathTest {

  private static final String ID = "org.example.my-ring";

  @TempDir private Path directory;

  @Test
  void fromTheGeneratedProjectIntoAHostThatRuns() throws Exception {
    GeneratedPlugin plugin = new GeneratedPlugin("basic/project/my-ring", "1.0.0");
    Path plugins = Files.createDirectory(directory.resolve("plugins"));
    try (Tutti tutti = new Tutti(directory)) {
      tutti.serve(
          "--plugins=plugins", "--load=allreduce", "--ranks=5", "--bytes=64K", "--rate=200");
      tutti.awaitNews("serving 0 algorithms");

      drop(plugin.jar(), plugins);
      long failures = awaitLoad(tutti, "1.0.0").path("load").path("failures").asLong();
      assertThat(tutti.succeed("explain", "allreduce", "--live", "--plugins", "plugins"))
          .containsPattern("→\\s+" + ID + ":my-ring\\s+1\\.0\\.0");

      drop(plugin.jar(directory, "2.0.0", AuthorsPathTest::renamed), plugins);
      awaitLoad(tutti, "2.0.0");

      Path broken = plugin.jar(directory, "3.0.0", AuthorsPathTest::withoutAwait);
      Tutti.Result verdict = tutti.run("verify", broken.getFileName().toString());
      assertThat(verdict.code()).as(verdict.text()).isEqualTo(1);
      assertThat(verdict.text()).contains("SYN-3").contains("MyRingAllReduce.java:");
      drop(broken, plugins);
      String quarantined = ID + " 3.0.0 (plugin-3.0.0.jar) is quarantined";
      // Once: the command prints the news, and logs nothing.
      assertThat(tutti.awaitNews(quarantined)).containsOnlyOnce(quarantined);
      JsonNode status = awaitMoreRuns(tutti);
      assertThat(load(status)).endsWith(" 2.0.0");
      assertThat(tutti.succeed("plugins", "why", ID, "--plugins", "plugins"))
          .contains("3.0.0")
          .contains("SYN-3");

      assertThat(status.path("load").path("failures").asLong()).isEqualTo(failures);
      assertThat(status.path("load").path("wrong").asLong()).isZero();
      removeAll(tutti, plugins);
      tutti.succeed("serve", "--stop", "--plugins", "plugins");
    }
  }

  /** Copies beside the directory's jars and moves, so that the host never sees half of it. */
  private void drop(Path jar, Path plugins) throws IOException {
    Path copy = directory.resolve("dropped");
    Files.copy(jar, copy);
    Files.move(copy, plugins.resolve(jar.getFileName()), StandardCopyOption.ATOMIC_MOVE);
  }

  private static String renamed(String source) {
    return source.replace("Rank 0 combines all inputs", "The first rank combines all inputs");
  }

  private static String withoutAwait(String source) {
    return source.replace("root.await(stream, Link.FIN);", "");
  }

  private static String load(JsonNode status) {
    return status.path("load").path("algorithm").asString();
  }

  private static JsonNode awaitLoad(Tutti tutti, String version) throws InterruptedException {
    tutti.awaitNews("%s %s (".formatted(ID, version));
    return tutti.awaitStatus(
        "the load runs with version " + version,
        status -> load(status).equals(ID + ":my-ring " + version));
  }

  private static JsonNode awaitMoreRuns(Tutti tutti) throws IOException, InterruptedException {
    long runs = tutti.status().path("load").path("runs").asLong();
    return tutti.awaitStatus(
        "the load goes on", status -> status.path("load").path("runs").asLong() > runs);
  }

  /** The jars go, and with the last of them the classes of the version that served. */
  private static void removeAll(Tutti tutti, Path plugins)
      throws IOException, InterruptedException {
    for (String jar : new String[] {"my-ring-1.0.0", "plugin-2.0.0", "plugin-3.0.0"}) {
      Files.delete(plugins.resolve(jar + ".jar"));
    }
    tutti.awaitNews(ID + " 2.0.0 is unloaded");
    JsonNode status = tutti.awaitStatus("none serves", s -> s.path("algorithms").asInt() == 0);
    assertThat(status.path("load").path("wrong").asLong()).isZero();
  }
}
