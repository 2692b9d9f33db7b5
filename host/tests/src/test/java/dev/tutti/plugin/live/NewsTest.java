package dev.tutti.plugin.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.base.listener.KeptLog;
import dev.tutti.cli.terminal.SilentLoggers;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NewsTest {

  private final KeptLog log = new KeptLog("dev.tutti.plugin");

  @AfterEach
  void close() {
    log.close();
  }

  @Test
  void aSentenceIsHeardAndLoggedOnOneLine() {
    List<String> heard = new ArrayList<>();

    new News(heard::add).tell("ring 1.0 {0} serves\nINFO: tree 1.0 serves");

    assertThat(heard).containsExactly("ring 1.0 {0} serves\nINFO: tree 1.0 serves");
    assertThat(log.records())
        .singleElement()
        .satisfies(record -> assertThat(record.getLevel()).isEqualTo(Level.INFO))
        .extracting(LogRecord::getMessage)
        .asString()
        .startsWith("ring 1.0 {0} serves")
        .endsWith("INFO: tree 1.0 serves")
        .doesNotContain("\n");
  }

  @Test
  void theCommandLogsNothing() {
    System.Logger silent =
        new SilentLoggers().getLogger("dev.tutti.plugin", News.class.getModule());

    assertThat(silent.getName()).isEqualTo("dev.tutti.plugin");
    assertThat(silent.isLoggable(System.Logger.Level.ERROR)).isFalse();
  }
}
