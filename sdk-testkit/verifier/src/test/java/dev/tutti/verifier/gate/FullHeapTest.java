package dev.tutti.verifier.gate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls that fill the heap of a process, under the collectors that hosts run with. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class FullHeapTest {

  @ParameterizedTest
  @ValueSource(strings = {"-XX:+UseParallelGC", "-XX:+UseG1GC"})
  void aCallThatFillsTheHeapIsEndedAndItsMemoryIsFreeAgain(String collector)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                collector,
                "-Xmx160m",
                "-cp",
                System.getProperty("java.class.path"),
                FullHeap.class.getName())
            .redirectErrorStream(true)
            .start();
    String output;
    try {
      output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      process.waitFor();
    } finally {
      process.destroyForcibly();
    }

    assertThat(output.lines())
        .containsExactly(
            "Chunks MEMORY free",
            "Doubling MEMORY free",
            "ReferenceHog MEMORY free",
            "NearlyAll MEMORY free");
  }
}
