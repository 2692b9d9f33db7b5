package dev.tutti.plugins.catalogue;

import dev.tutti.sdk.AlgParameter;
import dev.tutti.sdk.Operation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The text of docs/algorithms.md: what the plugins say of themselves. */
final class AlgorithmPage {

  private static final String INTRODUCTION =
      """
      # The algorithms of the reference plugins

      This page describes the algorithms that come with Tutti. The build makes it from the plugins, and a test compares the two.

      - **Cost** uses p ranks, n bytes, α for a message, β for a byte on the wire and γ for a reduced byte. Rule
        [OPT-2](rules/OPT-2.md) compares it with the real cost of a plan.
      - **Bits** says how reproducible floating-point results are. With `same-ranks`, all ranks get the same bits for an element, in
        every run. With `same-sizes`, the bits also do not depend on the count, or on how the data is sliced.
      - In the **pictures**, every rank has a lane, and time runs to the right. Each arrow is a message. Its colour shows its place in
        the vector, and it ends in a circle if it is reduced into its destination. A message of no bytes takes one unit of time; a
        whole vector takes two units more.

      `tutti algorithms` lists the installed algorithms. `tutti plan <operation> -a <name> --format svg` draws any case.
      `tutti explain <operation>` shows which algorithm Tutti chooses, and why.

      ## The fastest by size and ranks

      ![The fastest algorithm of each operation at 2 and 4 ranks, for 8 B, 512 B, 32 KiB, 2 MiB and 64 MiB](measurements/fastest.svg)

      The times are those of [benchmarks.md](benchmarks.md#every-operation-against-open-mpi): float32, sum, out of place, all ranks
      in one JVM on two cores. On other machines, other algorithms are the fastest: `tutti tune --html` and `tutti bench --html` draw
      the same map from your own measurements. This command draws the picture from the stored ones:

          ./tutti chart docs/measurements/fastest.csv --show fastest --output docs/measurements/fastest.svg

      ## All algorithms
      """;

  private final Path root;
  private final List<Algorithm> algorithms;

  AlgorithmPage(Path root, List<Algorithm> algorithms) {
    this.root = root;
    this.algorithms = algorithms;
  }

  String text() throws IOException {
    StringBuilder text = new StringBuilder(INTRODUCTION).append('\n');
    text.append("| operation | algorithms |\n|---|---|\n");
    for (Operation operation : operations()) {
      text.append("| ").append(operation.label()).append(" | ");
      text.append(
          of(operation).stream()
              .map(a -> "[%s](#%s)".formatted(a.name(), anchor(a)))
              .collect(Collectors.joining(", ")));
      text.append(" |\n");
    }
    for (Operation operation : operations()) {
      text.append("\n## ").append(operation.label()).append('\n');
      for (Algorithm algorithm : of(operation)) {
        text.append(section(algorithm));
      }
    }
    return text.toString();
  }

  private List<Operation> operations() {
    return algorithms.stream().map(Algorithm::operation).distinct().toList();
  }

  private List<Algorithm> of(Operation operation) {
    return algorithms.stream().filter(a -> a.operation() == operation).toList();
  }

  private static String anchor(Algorithm algorithm) {
    return algorithm.operation().label() + "-" + algorithm.name();
  }

  private String section(Algorithm algorithm) throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add("");
    lines.add("### %s %s".formatted(algorithm.operation().label(), algorithm.name()));
    lines.add("");
    lines.add(explanation(algorithm));
    lines.add("");
    lines.add(
        "Plugin `%s`. Cost: %s. Bits: %s. Source: %s."
            .formatted(
                algorithm.family(),
                algorithm.about().formula(),
                algorithm.executor().determinism().label(),
                algorithm.about().source()));
    for (AlgParameter<?> parameter : algorithm.executor().parameters()) {
      lines.add("");
      lines.add(
          "`--param %s` (%s, %s): %s."
              .formatted(
                  parameter.name(),
                  parameter.defaultValue(),
                  parameter.range(),
                  parameter.summary()));
    }
    lines.add("");
    lines.add(
        "![%s %s](algorithms/%s)"
            .formatted(algorithm.operation().label(), algorithm.name(), algorithm.picture()));
    return String.join("\n", lines) + "\n";
  }

  private String explanation(Algorithm algorithm) throws IOException {
    Class<?> type = algorithm.executor().getClass();
    Path file =
        root.resolve("reference-plugins")
            .resolve(algorithm.family())
            .resolve("src/main/java")
            .resolve(type.getName().replace('.', '/') + ".java");
    return ClassComment.of(Files.readString(file)).toMarkdown();
  }
}
