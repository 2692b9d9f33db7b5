package dev.tutti.host.soak;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Lets actors work on hosts at random, all at the same time, until the time is over and each has
 * had enough turns. The decisions of an actor follow from the seed, but not the interleaving of
 * actors.
 */
public final class Soak {

  /** An action on a host that is repeated. Each thread has its own turns. */
  public interface Actor {

    /** Does one action, waits for its end, and throws if anything is wrong. */
    void turn(Random random) throws Exception;
  }

  /** The interval of the checks for turns that hang. */
  private static final Duration LOOK = Duration.ofMillis(20);

  /**
   * A turn that sees more looks hangs: five minutes on a quiet machine. Looks cost processor time,
   * so on a busy machine they come as slowly as turns go.
   */
  private static final long LONGEST_TURN = Duration.ofMinutes(5).dividedBy(LOOK);

  /** Processor time of one look. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private static final Duration REPORT = Duration.ofMinutes(1);

  private final long seed;
  private final Duration duration;
  private final Map<String, AtomicLong> turns = new LinkedHashMap<>();
  private final List<Player> players = new ArrayList<>();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  /**
   * A soak that has no actors yet.
   *
   * @param duration how long it goes on, at least
   */
  public Soak(long seed, Duration duration) {
    this.seed = seed;
    this.duration = duration;
  }

  /** One thread of an actor. */
  private final class Player implements Runnable {
    private final String name;
    private final Actor actor;
    private final AtomicLong count;
    private final Random random;
    private final Thread thread;
    private volatile long turnStart;

    Player(String name, int number, Actor actor, AtomicLong count) {
      this.name = name + "-" + number;
      this.actor = actor;
      this.count = count;
      this.random = new Random(seed * 1_000_003 + this.name.hashCode());
      this.thread = Thread.ofPlatform().daemon().name("soak-" + this.name).unstarted(this);
    }

    @Override
    public void run() {
      long number = 0;
      try {
        while (failure.get() == null && !isOver()) {
          turnStart = looks;
          number++;
          actor.turn(random);
          if (Thread.interrupted()) {
            throw new AssertionError("the turn left an interrupt behind");
          }
          count.incrementAndGet();
        }
      } catch (Throwable t) {
        failure.compareAndSet(
            null, new AssertionError("seed %d, turn %d of %s".formatted(seed, number, name), t));
      }
    }

    private boolean hangs() {
      return thread.isAlive() && looks - turnStart > LONGEST_TURN;
    }
  }

  private long start;
  private long leastTurns;

  /** Looks so far; written by the thread that looks. */
  private volatile long looks;

  /**
   * Adds an actor.
   *
   * @param threads the number of threads, each with its own turns
   */
  public void add(String name, int threads, Actor actor) {
    AtomicLong count = turns.computeIfAbsent(name, key -> new AtomicLong());
    for (int number = 0; number < threads; number++) {
      players.add(new Player(name, number, actor, count));
    }
  }

  private boolean isOver() {
    return System.nanoTime() - start > duration.toNanos()
        && turns.values().stream().allMatch(each -> each.get() >= leastTurns);
  }

  /**
   * Runs until time is over.
   *
   * @param least turns that each actor has had at the end, however busy the machine is
   * @param report gets a line a minute
   */
  public void run(long least, java.util.function.Consumer<String> report)
      throws InterruptedException {
    start = System.nanoTime();
    leastTurns = least;
    players.forEach(each -> each.thread.start());
    long reported = start;
    while (players.stream().anyMatch(each -> each.thread.isAlive())) {
      LockSupport.parkNanos(LOOK.toNanos());
      work();
      looks = looks + 1;
      if (System.nanoTime() - reported > REPORT.toNanos()) {
        reported = System.nanoTime();
        report.accept(progress());
      }
      for (Player each : players) {
        if (each.hangs()) {
          throw new AssertionError(
              "seed %d: %s hangs, %s%n%s".formatted(seed, each.name, progress(), allStacks()),
              failure.get());
        }
      }
    }
    report.accept(progress());
    Throwable thrown = failure.get();
    if (thrown != null) {
      throw new AssertionError(progress(), thrown);
    }
  }

  /** Takes as much processor time as a look costs. */
  private static void work() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long end = threads.getCurrentThreadCpuTime() + LOOK_NANOS;
    while (threads.getCurrentThreadCpuTime() < end) {
      Thread.onSpinWait();
    }
  }

  private String progress() {
    StringJoiner text = new StringJoiner(", ", "seed " + seed + ": ", "");
    long seconds = Duration.ofNanos(System.nanoTime() - start).toSeconds();
    text.add(seconds + " s");
    turns.forEach((name, count) -> text.add(name + " " + count));
    return text.toString();
  }

  private static String allStacks() {
    StringBuilder text = new StringBuilder();
    Thread.getAllStackTraces()
        .forEach(
            (thread, frames) -> {
              text.append(thread).append('\n');
              for (StackTraceElement frame : frames) {
                text.append("    ").append(frame).append('\n');
              }
            });
    return text.toString();
  }
}
