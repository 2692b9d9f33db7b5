package dev.tutti.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ProcessOutputTest {

  private static String problemOf(String reason) {
    ProcessOutput output =
        new ProcessOutput(
            new OutputStream() {
              @Override
              public void write(int value) throws IOException {
                throw new IOException(reason);
              }
            });
    new PrintStream(output, true, StandardCharsets.UTF_8).println("text");
    return output.problem();
  }

  @Test
  void saysWhyNothingCouldBeWritten() {
    assertThat(problemOf("No space left on device"))
        .isEqualTo("the output could not be written (No space left on device); is the disk full?");
  }

  @Test
  void saysNothingOfAReaderThatHasReadEnough() {
    assertThat(problemOf("Broken pipe")).isEmpty();
  }
}
