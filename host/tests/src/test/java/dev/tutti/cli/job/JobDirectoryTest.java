package dev.tutti.cli.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JobDirectoryTest {

  /** The file in which Linux lists the locks of all processes. */
  private static final Path LOCKS = Path.of("/proc/locks");

  @TempDir private Path parent;

  /** A process that MPI has started also looks for the directories of others. */
  @Test
  void aProcessKeepsItsLockWhenItLooksForJobs() throws IOException {
    assumeThat(Files.isReadable(LOCKS)).isTrue();
    try (JobDirectory made = JobDirectory.make(parent)) {
      assumeThat(isLocked(made)).as("locks of files are listed").isTrue();

      assertThat(JobDirectory.ofLiveJobs(parent)).containsExactly(made.path());
      try (JobDirectory other = JobDirectory.make(parent)) {
        assertThat(JobDirectory.ofLiveJobs(parent)).contains(other.path());
      }

      assertThat(isLocked(made)).isTrue();
    }
  }

  private static boolean isLocked(JobDirectory directory) throws IOException {
    String file = Files.getAttribute(directory.path().resolve("lock"), "unix:ino").toString();
    List<String> locks = Files.readAllLines(LOCKS);
    return locks.stream()
        .anyMatch(
            each ->
                each.contains(" " + ProcessHandle.current().pid() + " ")
                    && each.contains(":" + file + " "));
  }
}
