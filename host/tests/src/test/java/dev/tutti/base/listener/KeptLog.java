package dev.tutti.base.listener;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Keeps what a logger gets until it is closed, instead of printing it. */
public final class KeptLog extends Handler implements AutoCloseable {

  private final List<LogRecord> records = new CopyOnWriteArrayList<>();
  private final Logger logger;

  /** Keeps the records of a logger from now on. */
  public KeptLog(String name) {
    logger = Logger.getLogger(name);
    logger.addHandler(this);
    logger.setUseParentHandlers(false);
  }

  /** The records so far, oldest first. */
  public List<LogRecord> records() {
    return records;
  }

  @Override
  public void publish(LogRecord record) {
    records.add(record);
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
    logger.setUseParentHandlers(true);
  }
}
