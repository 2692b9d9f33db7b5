package dev.tutti.verifier.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ChildJvmTest {

  /**
   * Reports its process id, and then answers each request with whether a signal has asked it to
   * end.
   */
  static final class Told {

    private Told() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
      ParentChannel parent = ParentChannel.open();
      parent.ready(Long.toString(ProcessHandle.current().pid()));
      while (true) {
        List<String> _ = parent.next();
        boolean isTold =
            Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals("tutti-end"));
        parent.send(List.of(String.valueOf(isTold)));
      }
    }
  }

  /** As after Ctrl-C in a terminal, which signals all processes of the command. */
  @Test
  @Timeout(120)
  void aSignalDoesNotEndItBeforeItsParentDoes() throws Exception {
    try (ChildJvm child = ChildJvm.start(Told.class, List.of("-XX:TieredStopAtLevel=1"))) {
      String process = child.ready();
      for (String signal : List.of("INT", "TERM", "HUP")) {
        assertThat(new ProcessBuilder("kill", "-" + signal, process).start().waitFor()).isZero();
      }
      while (ask(child).equals("false")) {
        // The signals are on their way.
      }
      assertThat(ask(child)).isEqualTo("true");
      ProcessHandle handle = ProcessHandle.of(Long.parseLong(process)).orElseThrow();

      child.close();

      assertThat(handle.onExit().get(1, TimeUnit.MINUTES).isAlive()).isFalse();
    }
  }

  private static String ask(ChildJvm child) throws ChildException {
    child.send(List.of("?"));
    return child.begin(ChildLimits.of(Duration.ofMinutes(1))).answer().getFirst();
  }
}
