package dev.tutti.host.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ProcessStateTest {

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({
    "12 (java) S 1 12, ALIVE",
    "12 (a) Z (b) R 1 12, ALIVE",
    "12 (java) T 1 12, STOPPED",
    "12 (java) t 1 12, STOPPED",
    "12 (java) Z 1 12, ENDED",
    "12 (java) X 1 12, ENDED"
  })
  void theStateFollowsTheName(String line, ProcessState state) throws Exception {
    assertThat(ProcessState.at(Files.writeString(directory.resolve("stat"), line)))
        .isEqualTo(state);
  }

  @Test
  void aProcessWithoutAFileHasEnded() {
    assertThat(ProcessState.at(directory.resolve("stat"))).isEqualTo(ProcessState.ENDED);
  }

  /** A process that cannot open more files must not take all others for lost. */
  @Test
  void aFileThatCannotBeOpenedShowsNoEnd() throws Exception {
    Path loop = directory.resolve("stat");
    Files.createSymbolicLink(loop, loop);
    assertThat(ProcessState.at(loop)).isEqualTo(ProcessState.ALIVE);
  }

  @Test
  void aFileThatCannotBeReadAnyMoreShowsTheEnd() throws Exception {
    assertThat(ProcessState.at(directory)).isEqualTo(ProcessState.ENDED);
    assertThat(ProcessState.at(Files.createFile(directory.resolve("stat"))))
        .isEqualTo(ProcessState.ENDED);
  }
}
