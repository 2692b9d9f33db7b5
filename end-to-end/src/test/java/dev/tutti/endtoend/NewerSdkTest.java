package dev.tutti.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What an author sees whose plugin was made for a newer SDK than the one it meets: in the tests of
 * the generated project, and from a host that the jar is dropped into.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class NewerSdkTest {

  private static final GeneratedPlugin RING = new GeneratedPlugin("all-gather/project/g", "1.0.0");
  private static final Path STREAM =
      Path.of("../sdk-api/spi/src/main/java/dev/tutti/sdk/resource/Stream.java");
  private static final String CALL = "stream.clear(mem.output());";

  @TempDir private Path directory;
  private Path newer;

  /** An SDK whose streams have one verb more. */
  @BeforeEach
  void makeNewerSdk() throws IOException {
    newer = Files.createDirectory(directory.resolve("newer"));
    String stream = Files.readString(STREAM);
    int end = stream.lastIndexOf('}');
    Path source =
        Files.writeString(
            directory.resolve("Stream.java"),
            stream.substring(0, end) + "\n  default void clear(DeviceMem dst) {}\n}\n");
    PluginCompiler.compile(List.of(source), PluginCompiler.SDK, newer, "-proc:none");
  }

  private Path classes(String source) throws IOException {
    List<Path> sdk = List.of(newer, PluginCompiler.SDK.getFirst());
    return RING.classes(directory, source, sdk, "-proc:full");
  }

  private String source() throws IOException {
    return RING.changed(
        source ->
            source.replace("Link left = comm.left();", CALL + "\n    Link left = comm.left();"));
  }

  private static String line(String source) {
    return "G.java:" + source.substring(0, source.indexOf(CALL)).lines().count();
  }

  @Test
  void theTestsOfTheProjectNameTheMissingVerbAndItsLine() throws Exception {
    String source = source();

    List<String> messages = GeneratedTests.failures(RING, classes(source), "a.b.GTest");

    assertThat(messages.getFirst())
        .contains("Stream.clear", line(source), "compile it against the sdk-api that it runs with");
  }

  @Test
  void aHostNamesTheMissingVerbAndItsLine() throws Exception {
    String source = source();
    Path classes = classes(source);

    assertThat(refusal(RING.packed(classes, directory.resolve("newer.jar"), manifest -> manifest)))
        .contains("[TUTTI-407]", "Stream.clear(DeviceMem) does not exist", line(source))
        .contains("rebuild the plugin against sdk-api");
  }

  @Test
  void aHostNamesTheVersionsThatAManifestAsksFor() throws Exception {
    Path classes = RING.classes(directory, RING.changed(source -> source + "\n"), "-proc:full");

    assertThat(
            refusal(
                RING.packed(
                    classes,
                    directory.resolve("range.jar"),
                    manifest -> manifest.replace("[0.1,1.0)", "[2.0,3.0)"))))
        .contains("[TUTTI-403]", "needs sdk-api [2.0,3.0), host provides 0.1.0")
        .contains("rebuild the plugin against sdk-api 0.1.0");
  }

  /** What {@code tutti plugins install} says; the same stands in the list of a host that runs. */
  private String refusal(Path jar) throws IOException, InterruptedException {
    Files.createDirectory(directory.resolve("plugins"));
    try (Tutti tutti = new Tutti(directory)) {
      Tutti.Result result =
          tutti.run("plugins", "install", jar.getFileName().toString(), "--plugins", "plugins");
      assertThat(result.code()).as(result.text()).isEqualTo(3);
      return result.text();
    }
  }
}
