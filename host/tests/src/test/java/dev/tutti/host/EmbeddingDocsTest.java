package dev.tutti.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plugin.PluginJars;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compiles and runs what docs/embedding.md shows, with a plugin jar made here. */
final class EmbeddingDocsTest {

  private static final Path DOCS = Path.of("..", "..", "docs", "embedding.md");
  private static final Path SAMPLES =
      Path.of("src", "test", "java", "dev", "tutti", "host", "SampleAlgorithms.java");
  private static final Pattern BLOCK = Pattern.compile("(?s)```java\n(.*?)```");

  @TempDir private Path plugins;

  /** The all-reduce and the gather of the samples, as a plugin in its own package. */
  private void writePlugin() throws Exception {
    String samples = Files.readString(SAMPLES);
    String frame = member(samples, "  public abstract static class Pulling");
    String allReduce = member(samples, "  public static final class PullAllReduce");
    String gather = member(samples, "  public static final class PullGather");
    String imports =
        samples
            .lines()
            .filter(line -> line.startsWith("import "))
            .reduce("", (a, b) -> a + b + "\n");
    PluginJars.plugin("pull")
        .provider(
            "Pull",
            "package p;\n"
                + imports
                + "@CollAlgorithm(name = \"pull\", summary = \"Every rank reduces all inputs\")\n"
                + allReduce
                    .replace("static final class PullAllReduce", "class Pull")
                    .replaceFirst(
                        "\\{\n",
                        "{\n public dev.tutti.sdk.Determinism determinism() {"
                            + " return dev.tutti.sdk.Determinism.SAME_SIZES; }\n")
                    .stripLeading()
                + frame.replace("public abstract static class", "abstract class"))
        .provider(
            "PullGather",
            "package p;\n"
                + imports
                + "@CollAlgorithm(name = \"pull\", summary = \"The root pulls all inputs\")\n"
                + gather.replace("static final class", "class").stripLeading())
        .write(plugins, "pull.jar");
  }

  /** A class of the samples, from its declaration to the brace that closes it. */
  private static String member(String source, String declaration) {
    int start = source.indexOf(declaration);
    assertThat(start).as(declaration).isPositive();
    return source.substring(start, source.indexOf("\n  }\n", start) + 5);
  }

  private static List<String> examples() throws Exception {
    return BLOCK.matcher(Files.readString(DOCS)).results().map(r -> r.group(1)).toList();
  }

  private static String example(String className) throws Exception {
    return examples().stream()
        .filter(example -> example.contains("public class " + className + " "))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no example " + className));
  }

  private String outputOf(String className) throws Exception {
    String example = example(className);
    Map<String, byte[]> classes = PluginJars.compileAll(Map.of(className, example));
    ClassLoader loader =
        new ClassLoader(getClass().getClassLoader()) {
          @Override
          protected Class<?> findClass(String name) throws ClassNotFoundException {
            byte[] bytes = classes.get(name);
            if (bytes == null) {
              throw new ClassNotFoundException(name);
            }
            return defineClass(name, bytes, 0, bytes.length);
          }
        };
    PrintStream console = System.out;
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    System.setOut(new PrintStream(output, true, StandardCharsets.UTF_8));
    try {
      loader
          .loadClass(className)
          .getMethod("main", String[].class)
          .invoke(null, (Object) new String[] {plugins.toString()});
    } finally {
      System.setOut(console);
    }
    return output.toString(StandardCharsets.UTF_8);
  }

  @Test
  void theExamplesDoWhatTheTextSays() throws Exception {
    writePlugin();
    assertThat(outputOf("Embedding").lines())
        .containsExactlyInAnyOrder(
            "rank 0: 6.0, 4.0", "rank 1: 6.0, 4.0", "rank 2: 6.0, 4.0", "rank 3: 6.0, 4.0");
    assertThat(outputOf("Replay")).isEqualToIgnoringNewLines("10.0");
    assertThat(outputOf("Layers")).isEqualToIgnoringNewLines("5.0");
    assertThat(outputOf("Overlap").lines())
        .hasSize(2)
        .allSatisfy(
            line ->
                assertThat(line)
                    .endsWith(
                        ": [[1.0, 1.0, 1.0, 1.0], [3.0, 3.0, 3.0, 3.0], [5.0, 5.0, 5.0, 5.0]]"));
    assertThat(outputOf("Grid").lines())
        .hasSize(6)
        .allSatisfy(line -> assertThat(line).endsWith(": 12"));
    assertThat(outputOf("Columns")).isEqualToIgnoringNewLines("[1, 4, 2, 5, 7, 10, 8, 11]");
  }

  /** Rounding may differ between algorithms, so the last digit of the loss is not compared. */
  @Test
  void theTrainingConverges() throws Exception {
    writePlugin();

    List<String> lines = outputOf("Training").lines().toList();

    assertThat(lines).hasSize(3);
    assertThat(lines.get(0)).startsWith("step 0: loss 2.39");
    assertThat(lines.get(1)).startsWith("step 399: loss 0.2");
    assertThat(lines.get(2)).isEqualTo("all ranks have the same weights: true");
    assertThat(example("Training").lines().count()).isLessThan(100);
  }

  @Test
  void tenLinesAreTen() throws Exception {
    String body = examples().getFirst();
    long lines =
        body.substring(body.indexOf("    try (")).lines().filter(line -> line.length() > 5).count();
    assertThat(lines).isLessThanOrEqualTo(10);
  }
}
