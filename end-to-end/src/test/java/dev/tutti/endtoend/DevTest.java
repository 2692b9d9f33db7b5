package dev.tutti.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code tutti dev} in the modules of the distribution. */
class DevTest {

  @TempDir private Path directory;

  @Test
  void aNewProjectIsBuiltAndVerifiedUntilAnInterruptEndsTheCommand() throws Exception {
    try (Tutti tutti = new Tutti(directory)) {
      tutti.succeed("new", "barrier", "gate");
      Process dev = tutti.launch("dev", "gate");
      Path printed = directory.resolve(Tutti.LAUNCHED);
      tutti.await(
          "the project is verified",
          () -> Files.readString(printed).contains(" barrier/gate: correct in 56 cases ("));

      new ProcessBuilder("kill", "-INT", String.valueOf(dev.pid())).start().waitFor();

      assertThat(dev.waitFor(10, TimeUnit.MINUTES)).isTrue();
      assertThat(dev.exitValue()).as(Files.readString(printed)).isZero();
      assertThat(Files.readString(printed)).startsWith("watching ").hasLineCount(2);
      assertThat(directory.resolve("gate/target/tutti-dev/gate-1.0.0.jar")).isNotEmptyFile();
    }
  }
}
