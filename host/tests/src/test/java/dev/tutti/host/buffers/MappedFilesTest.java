package dev.tutti.host.buffers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MappedFilesTest {

  @TempDir Path directory;

  @Test
  void aMappedFileThatIsCutShortFailsTheOperationAndNotTheJvm()
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-modules",
                "jdk.incubator.vector",
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-Xmx512m",
                "-XX:ErrorFile=" + directory.resolve("crash.log"),
                "-cp",
                System.getProperty("java.class.path"),
                MappedFilesProgram.class.getName(),
                directory.toString())
            .redirectErrorStream(true)
            .start();

    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    assertThat(output).contains("survived");
  }
}
