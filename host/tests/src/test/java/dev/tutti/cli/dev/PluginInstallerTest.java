package dev.tutti.cli.dev;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class PluginInstallerTest {

  @Test
  void whatIsNotInstalledHasAReason() {
    assertThat(
            failing("tutti: no host serves p.state\ntutti: [TUTTI-409] it breaks SYN-1\n  at A\n"))
        .isEqualTo("not installed in plugins: [TUTTI-409] it breaks SYN-1");
    assertThat(failing(""))
        .isEqualTo(
            "not installed in plugins: the command ended with exit code 3 and without a message");
  }

  private static String failing(String messages) {
    PluginInstaller installer =
        new PluginInstaller(
            Path.of("plugins"),
            (terminal, _) -> {
              terminal.err().print(messages);
              return 3;
            });
    return installer.install(Path.of("a.jar")).sentence();
  }
}
