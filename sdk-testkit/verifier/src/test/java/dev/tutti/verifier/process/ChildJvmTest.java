package dev.tutti.verifier.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ChildJvmTest {

  /** Answers what it is asked, and first of all who it is. */
  static final class Echo {

    private Echo() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
      ParentChannel parent = ParentChannel.open();
      parent.ready(Long.toString(ProcessHandle.current().pid()));
      while (true) {
        parent.send(parent.next());
      }
    }
  }

  /** As after Ctrl-C in a terminal, which all processes of the command hear. */
  @Test
  @Timeout(120)
  void aSignalDoesNotEndItBeforeItsParentDoes() throws Exception {
    try (ChildJvm child = ChildJvm.start(Echo.class, List.of("-XX:TieredStopAtLevel=1"))) {
      String process = child.ready();
      for (String signal : List.of("INT", "TERM", "HUP")) {
        assertThat(new ProcessBuilder("kill", "-" + signal, process).start().waitFor()).isZero();
      }
      for (int round = 0; round < 5; round++) {
        // What a signal does comes a little later.
        TimeUnit.MILLISECONDS.sleep(50);
        List<String> words = List.of("round", Integer.toString(round));
        child.send(words);
        assertThat(child.begin(ChildLimits.of(Duration.ofMinutes(1))).answer()).isEqualTo(words);
      }
      ProcessHandle handle = ProcessHandle.of(Long.parseLong(process)).orElseThrow();

      child.close();

      assertThat(handle.onExit().get(1, TimeUnit.MINUTES).isAlive()).isFalse();
    }
  }
}
