package dev.tutti.plugin.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class StepTest {

  @Test
  void thePageNamesEachStep() throws IOException {
    String page = Files.readString(Path.of("..", "..", "docs", "state-directory.md"));

    assertThat(Stream.of(Step.values()).map(step -> "`" + step + "`")).allMatch(page::contains);
  }
}
