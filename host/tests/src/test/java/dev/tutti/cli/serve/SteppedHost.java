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
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A {@code tutti serve} that stops forever at a step; a process has one or several of them. A line
 * of the process's input has the number of a host from 0, a step and a number: from then on, that
 * host stops when it reaches the step for the given number of times; it reports this, and then
 * waits to be killed. After the line {@value #FULL_DISK} and a seed, a step of the first host now
 * and then finds no space.
 */
final class SteppedHost implements Steps {

  /** The order that makes a disk full now and then; a number follows it. */
  static final String FULL_DISK = "full disk ";

  /** The line of a host that has stopped; the step follows it. */
  static final String STOPPED = "stopped at ";

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

  /** Hosts that watch their plugins and report each step. */
  static Hosts hosts(Steps steps) {
    return new Hosts(
        List.of(), () -> SteppedContexts.told(Context.builder(), steps), LiveContext::open);
  }

  /**
   * Serves plugins directories at the same time, each in a separate host, and listens to its
   * parent.
   */
  public static void main(String[] directories) throws IOException {
    List<SteppedHost> hosts = new ArrayList<>();
    for (String directory : directories) {
      SteppedHost host = new SteppedHost();
      hosts.add(host);
      Thread.ofPlatform().start(() -> host.serve(directory));
    }
    listen(hosts);
  }

  private void serve(String directory) {
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    Terminal terminal = new Terminal(out, out, false, false);
    System.exit(new Cli(terminal, hosts(this), Path.of("")).run("serve", "--plugins", directory));
  }

  /** Ends with the parent, however that ends. */
  private static void listen(List<SteppedHost> hosts) throws IOException {
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (line.startsWith(FULL_DISK)) {
          hosts.getFirst().fullDisk =
              new Random(Long.parseLong(line.substring(FULL_DISK.length())));
        } else {
          String[] words = line.split(" ", 2);
          hosts.get(Integer.parseInt(words[0])).stopAt(Occurrence.parse(words[1]));
        }
        System.out.println("armed");
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    } finally {
      Runtime.getRuntime().halt(1);
    }
  }

  /** The start of the service is a change, too, which ends on a separate thread. */
  private synchronized void stopAt(Occurrence occurrence) throws InterruptedException {
    while (!seen.containsKey(Step.RETIRED)) {
      wait();
    }
    seen.clear();
    end = occurrence;
  }

  @Override
  public void reached(Step step) throws IOException {
    Random full = fullDisk;
    if (full != null && full.nextInt(FULL_ONE_IN) == 0) {
      throw new IOException("No space left on device");
    }
    passed(step);
  }

  /** If no file is written, none can fail. */
  @Override
  public void passed(Step step) {
    if (isEnd(step)) {
      System.out.println(STOPPED + step);
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
