package dev.tutti.verifier.process;

import dev.tutti.verifier.process.ChildException.Reason;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A JVM in a child process, with the class path and modules of this JVM. Closing it kills it and
 * all processes that it has started. One thread at a time may wait for its answers.
 *
 * <p>Parent and child exchange messages over the child's standard streams; the child's {@link
 * ParentChannel} keeps all other output off them. The parent has one thread that writes and one
 * that reads. So a child that neither reads nor writes blocks only the threads that wait for its
 * answers, and these wait under limits.
 */
public final class ChildJvm implements AutoCloseable {

  private static final int OUT_OF_MEMORY = 3;
  private static final long FIRST_POLL_MS = 5;
  private static final long LAST_POLL_MS = 100;
  private static final long END_MS = 10_000;
  private static final ChildLimits START = ChildLimits.of(Duration.ofSeconds(30));

  /** The first field of a child's first answer. */
  static final String READY = "ready";

  private final Process process;
  private final byte[] secret = new byte[Frames.SECRET_BYTES];
  private final BlockingQueue<Arrival> arrivals = new LinkedBlockingQueue<>(1 << 14);
  private final BlockingQueue<List<String>> requests = new LinkedBlockingQueue<>();

  /** The last known processor time of each process that the child has started, by process id. */
  private final Map<Long, Duration> others = new HashMap<>();

  /** An answer, or the reason why no more will come. */
  private record Arrival(@Nullable List<String> message, @Nullable String problem) {}

  private ChildJvm(Process process) {
    this.process = process;
    new SecureRandom().nextBytes(secret);
  }

  /**
   * Starts a JVM.
   *
   * @param main a class of this process, whose {@code main} method opens a {@link ParentChannel}
   * @param options JVM options, besides those for the class path and modules
   * @throws ChildException if it cannot be started
   */
  public static ChildJvm start(Class<?> main, List<String> options) throws ChildException {
    List<String> command = JvmCommand.of(main, options);
    try {
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      ChildJvm child = new ChildJvm(process);
      Thread.ofPlatform().daemon().name("tutti-child-requests").start(child::write);
      Thread.ofPlatform().daemon().name("tutti-child-answers").start(child::read);
      return child;
    } catch (IOException e) {
      throw new ChildException(
          Reason.NOT_STARTED, "a second JVM cannot be started (%s)".formatted(e.getMessage()));
    }
  }

  private void write() {
    try (DataOutputStream out = new DataOutputStream(process.getOutputStream())) {
      out.write(secret);
      out.flush();
      while (process.isAlive()) {
        List<String> request = requests.poll(1, TimeUnit.SECONDS);
        if (request != null) {
          Frames.write(out, secret, request);
        }
      }
    } catch (IOException e) {
      // The reading thread sees the end, too, and reports it.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void read() {
    try (DataInputStream in = new DataInputStream(process.getInputStream())) {
      List<String> message = Frames.read(in, secret);
      while (message != null) {
        arrivals.put(new Arrival(message, null));
        message = Frames.read(in, secret);
      }
      arrivals.put(new Arrival(null, ""));
    } catch (IOException e) {
      arrivals.offer(new Arrival(null, String.valueOf(e.getMessage())));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Waits until the child reports that it is ready. The child must do so before anything else.
   *
   * @return what the child reports about itself
   * @throws ChildException with {@link Reason#NOT_STARTED} if it does not become ready
   */
  public String ready() throws ChildException {
    try {
      List<String> first = begin(START).answer();
      if (first.size() == 2 && first.getFirst().equals(READY)) {
        return first.getLast();
      }
      kill();
      throw new ChildException(
          Reason.NOT_STARTED, "the first answer of a second JVM was not the expected one");
    } catch (ChildException e) {
      throw new ChildException(Reason.NOT_STARTED, "a second JVM did not start: " + e.getMessage());
    }
  }

  /** Whether the child has not ended. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** Queues a request to the child; never waits. */
  public void send(List<String> request) {
    requests.add(request);
  }

  /** Begins a piece of work under limits. */
  public Work begin(ChildLimits limits) {
    return new Work(limits);
  }

  /** A piece of work. It measures time from its begin. */
  public final class Work {

    private final ChildLimits limits;
    private final long begin = System.nanoTime();

    /** The child's processor time before this work; read at the first check of the limits. */
    private @Nullable Duration before;

    private Work(ChildLimits limits) {
      this.limits = limits;
    }

    /**
     * Waits for the next answer.
     *
     * @throws ChildException if there is none, after the process was killed
     */
    public List<String> answer() throws ChildException {
      return answer(() -> true);
    }

    /**
     * Waits for the next answer as long as it is needed.
     *
     * @throws ChildException if there is none, after the process was killed
     */
    public List<String> answer(BooleanSupplier isWanted) throws ChildException {
      long poll = FIRST_POLL_MS;
      try {
        while (true) {
          Arrival arrival = arrivals.poll(poll, TimeUnit.MILLISECONDS);
          if (arrival != null && arrival.message() != null) {
            return arrival.message();
          }
          if (arrival != null) {
            throw ended(String.valueOf(arrival.problem()));
          }
          if (poll == LAST_POLL_MS) {
            requireLimits();
            if (!isWanted.getAsBoolean()) {
              kill();
              throw new ChildException(Reason.ENDED, "its answer was no longer needed");
            }
          }
          poll = Math.min(2 * poll, LAST_POLL_MS);
        }
      } catch (InterruptedException e) {
        kill();
        Thread.currentThread().interrupt();
        throw new ChildException(Reason.ENDED, "the thread that waited for it was interrupted");
      }
    }

    private void requireLimits() throws ChildException {
      Duration now = processorTime();
      before = before == null ? now : before;
      if (now.minus(before).compareTo(limits.processorTime()) > 0) {
        kill();
        throw new ChildException(
            Reason.PROCESSOR_TIME,
            "it took more than %s of processor time".formatted(text(limits.processorTime())));
      }
      if (System.nanoTime() - begin > limits.wallClock().toNanos()) {
        kill();
        throw new ChildException(
            Reason.WALL_CLOCK,
            "it did not finish within %s, and used little processor time"
                .formatted(text(limits.wallClock())));
      }
    }
  }

  private static String text(Duration time) {
    return time.toMillis() % 1000 == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
  }

  private ChildException ended(String problem) throws InterruptedException {
    if (!problem.isEmpty() && process.isAlive()) {
      kill();
      return new ChildException(Reason.GARBLED, problem);
    }
    if (!process.waitFor(END_MS, TimeUnit.MILLISECONDS)) {
      kill();
      return new ChildException(Reason.GARBLED, "it closed its stream of answers");
    }
    int code = process.exitValue();
    return code == OUT_OF_MEMORY
        ? new ChildException(Reason.MEMORY, "it filled the heap")
        : new ChildException(
            Reason.ENDED,
            "it ended the process (exit code %d)%s"
                .formatted(code, problem.isEmpty() ? "" : ", after " + problem));
  }

  /** The processor time of the child and of the processes that it has started. */
  private Duration processorTime() {
    process.children().forEach(each -> others.put(each.pid(), of(each)));
    return others.values().stream().reduce(of(process.toHandle()), Duration::plus);
  }

  private static Duration of(ProcessHandle process) {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  private void kill() {
    List<ProcessHandle> started = process.descendants().toList();
    process.destroyForcibly();
    started.forEach(ProcessHandle::destroyForcibly);
  }

  @Override
  public void close() {
    kill();
  }
}
