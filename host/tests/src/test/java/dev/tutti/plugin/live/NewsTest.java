package dev.tutti.plugin.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.cli.terminal.SilentLoggers;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NewsTest {

  private final Logger logger = Logger.getLogger("dev.tutti.plugin");
  private final KeepingHandler log = new KeepingHandler();

  private static final class KeepingHandler extends Handler {
    private final List<LogRecord> records = new ArrayList<>();

    @Override
    public void publish(LogRecord record) {
      records.add(record);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @BeforeEach
  void listen() {
    logger.addHandler(log);
    logger.setUseParentHandlers(false);
  }

  @AfterEach
  void leave() {
    logger.removeHandler(log);
    logger.setUseParentHandlers(true);
  }

  @Test
  void aSentenceIsHeardAndLoggedOnOneLine() {
    List<String> heard = new ArrayList<>();

    new News(heard::add).tell("ring 1.0 {0} serves\nINFO: tree 1.0 serves");

    assertThat(heard).containsExactly("ring 1.0 {0} serves\nINFO: tree 1.0 serves");
    assertThat(log.records)
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
