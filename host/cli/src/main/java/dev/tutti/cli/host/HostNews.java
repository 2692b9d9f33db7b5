package dev.tutti.cli.host;

import dev.tutti.base.text.ControlCharacters;
import dev.tutti.cli.terminal.LinePrinter;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** Prints the events of a host at once, a sentence each, and keeps the last ones. Thread-safe. */
public final class HostNews implements Consumer<String> {

  private static final int KEPT = 20;

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneId.systemDefault());

  private final LinePrinter printer;
  private final InstantSource clock;
  private final Deque<Item> last = new ArrayDeque<>();

  /**
   * One event.
   *
   * @param time its time
   * @param text a sentence
   */
  public record Item(Instant time, String text) {

    /** One line with the time of day. */
    @Override
    public String toString() {
      return TIME.format(time) + "  " + ControlCharacters.onOneLine(text);
    }
  }

  public HostNews(LinePrinter printer, InstantSource clock) {
    this.printer = printer;
    this.clock = clock;
  }

  @Override
  public synchronized void accept(String text) {
    Item item = new Item(clock.instant(), text);
    if (last.size() == KEPT) {
      last.removeFirst();
    }
    last.addLast(item);
    printer.println(item.toString());
  }

  /** The last events, oldest first. */
  public synchronized List<Item> last() {
    return List.copyOf(last);
  }
}
