package dev.tutti.cli.terminal;

import java.lang.System.Logger;
import java.lang.System.LoggerFinder;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/** Logs nothing: commands print the events themselves, and a log would repeat them. */
public final class SilentLoggers extends LoggerFinder {

  @Override
  public Logger getLogger(String name, Module module) {
    return new Silent(name);
  }

  private record Silent(String name) implements Logger {

    @Override
    public String getName() {
      return name;
    }

    @Override
    public boolean isLoggable(Level level) {
      return false;
    }

    @Override
    public void log(
        Level level,
        @Nullable ResourceBundle bundle,
        @Nullable String message,
        @Nullable Throwable thrown) {}

    @Override
    public void log(
        Level level,
        @Nullable ResourceBundle bundle,
        @Nullable String format,
        @Nullable Object @Nullable ... params) {}
  }
}
