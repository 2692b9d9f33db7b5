package dev.tutti.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The distribution's plugins, unchanged, with a process for each rank. */
class ProcessesTest {

  private static final String PLUGINS =
      "--plugins=" + Path.of(System.getProperty("tutti.dist"), "plugins");

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({
    "allreduce, 3, --count=1001, --type=bfloat16",
    "alltoall, 2, --bytes=64K, --memory=heap",
    "send, 3, --bytes=1M, --protocol=rdma",
    "reducescatter, 4, --count=1000, --mode=op-base"
  })
  void anOperationIsRightOnAllRanks(String operation, int ranks, String size, String option)
      throws Exception {
    try (Tutti tutti = new Tutti(directory)) {
      String text =
          tutti.succeed(
              "run",
              operation,
              PLUGINS,
              "--ranks=" + ranks,
              "--processes",
              size,
              option,
              "-i",
              "20");
      assertThat(text)
          .contains("ranks      " + ranks)
          .contains("verified   ✓ every element of every rank");
    }
  }

  @Test
  void aTableHasARowForEachNumberOfRanks() throws Exception {
    try (Tutti tutti = new Tutti(directory)) {
      String text =
          tutti.succeed(
              "bench",
              "broadcast",
              PLUGINS,
              "--ranks=2,3",
              "--processes",
              "--sizes=64",
              "--place=out",
              "--seconds=0.01");
      assertThat(text.lines().filter(line -> line.contains("µs"))).hasSize(1);
      assertThat(text.lines().filter(line -> line.endsWith("✓"))).hasSize(2);
      assertThat(text).contains("callers processes");
    }
  }

  @Test
  void tracesAreRefused() throws Exception {
    try (Tutti tutti = new Tutti(directory)) {
      Tutti.Result traced = tutti.run("run", "allreduce", "--processes", "--trace=run.json");
      assertThat(traced.code()).isEqualTo(2);
      assertThat(traced.text()).contains("--trace shows runs of one process");
    }
  }
}
