package dev.tutti.cli.serve;

import dev.tutti.cli.Cli;
import dev.tutti.cli.host.Hosts;
import dev.tutti.cli.host.LiveContext;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.host.Context;
import dev.tutti.host.SteppedContexts;
import dev.tutti.plugin.store.Step;
import dev.tutti.plugin.store.Steps;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * {@code tutti serve} as a process that stops for ever at a step. From a line of its input, a step
 * and a number, it stops where that step comes so many times after it; it says so, and then waits
 * to be killed. From the line {@value #FULL_DISK} and a seed on, a step now and then finds no
 * space.
 */
final class SteppedHost implements Steps {

  /** The order that makes a disk full now and then; a number follows it. */
  static final String FULL_DISK = "full disk ";

  private static final int FULL_ONE_IN = 12;

  private final Map<Step, Integer> seen = new EnumMap<>(Step.class);
  private @Nullable Occurrence end;
  private volatile @Nullable Random fullDisk;

  private SteppedHost() {}

  /**
   * One of the times that a step comes.
   *
   * @param number from 1
   */
  record Occurrence(Step step, int number) {

    static Occurrence parse(String line) {
      String[] words = line.split(" ", -1);
      return new Occurrence(Step.valueOf(words[0]), Integer.parseInt(words[1]));
    }

    @Override
    public String toString() {
      return step + " " + number;
    }
  }

  /** Hosts whose plugins come and go, and which tell of each step. */
  static Hosts hosts(Steps steps) {
    return new Hosts(
        List.of(), () -> SteppedContexts.told(Context.builder(), steps), LiveContext::open, null);
  }

  public static void main(String[] arguments) {
    SteppedHost host = new SteppedHost();
    Thread.ofPlatform().daemon().start(host::listen);
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    Terminal terminal = new Terminal(out, out, false, false);
    System.exit(new Cli(terminal, hosts(host), Path.of("")).run(arguments));
  }

  private void listen() {
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      String line = in.readLine();
      if (line != null && line.startsWith(FULL_DISK)) {
        fullDisk = new Random(Long.parseLong(line.substring(FULL_DISK.length())));
        System.out.println("armed");
        line = in.readLine();
      } else if (line != null) {
        synchronized (this) {
          // What begins to serve at the start is a change too, and ends on a thread of its own.
          while (!seen.containsKey(Step.RETIRED)) {
            wait();
          }
          seen.clear();
          end = Occurrence.parse(line);
        }
        System.out.println("armed");
        // Ends with its parent, however that ends.
        line = in.readLine();
      }
      Runtime.getRuntime().halt(1);
    } catch (IOException | InterruptedException e) {
      Runtime.getRuntime().halt(1);
    }
  }

  @Override
  public void reached(Step step) throws IOException {
    Random full = fullDisk;
    if (full != null && full.nextInt(FULL_ONE_IN) == 0) {
      throw new IOException("No space left on device");
    }
    passed(step);
  }

  /** Where no file is written, none can fail. */
  @Override
  public void passed(Step step) {
    if (isEnd(step)) {
      System.out.println("at " + step);
      while (true) {
        LockSupport.park();
      }
    }
  }

  private synchronized boolean isEnd(Step step) {
    notifyAll();
    return new Occurrence(step, seen.merge(step, 1, Integer::sum)).equals(end);
  }
}
