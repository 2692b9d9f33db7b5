package dev.tutti.sdk.processor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AlgorithmTextTest {

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({
    "Ring, ring",
    "ringAllReduce, ring-all-reduce",
    "two_level ring, two-level-ring",
    "2d-ring, d-ring",
    "-ring-, ring",
    "'', ring",
    "42, ring",
    "größe, gr-e"
  })
  void aNameThatDoesNotMatchIsRefusedWithASuggestion(String name, String suggestion) {
    assertThat(new AuthorBuild(directory).algorithm("Ring", name).run().errors())
        .containsExactly(
            "the name of an algorithm must match [a-z][a-z0-9-]*, but that of p.Ring is '"
                + name
                + "'; name it for example '"
                + suggestion
                + "'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"r", "ring", "ring-2", "two-level-ring"})
  void aNameThatMatchesIsAccepted(String name) {
    assertThat(new AuthorBuild(directory).algorithm("Ring", name).run().providers())
        .containsExactly("p.Ring");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  "})
  void aBlankSummaryIsRefused(String summary) {
    assertThat(
            new AuthorBuild(directory)
                .source(
                    "Ring",
                    "@CollAlgorithm(name = \"ring\", summary = \"%s\")".formatted(summary)
                        + AuthorBuild.executor("Ring"))
                .run()
                .errors())
        .containsExactly(
            "the summary of an algorithm must not be blank, but that of p.Ring is '"
                + summary
                + "'; say in one sentence what it does and what it is good at");
  }

  @Test
  void constantsAreResolved() {
    assertThat(
            new AuthorBuild(directory)
                .source(
                    "Ring",
                    "@CollAlgorithm(name = Ring.NAME + \"-2\", summary = \"Good.\")"
                        + " public class Ring extends Base<AllReduceParam> {"
                        + " static final String NAME = \"ring\"; }")
                .run()
                .providers())
        .containsExactly("p.Ring");
  }
}
