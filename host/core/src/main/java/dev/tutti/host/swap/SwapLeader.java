package dev.tutti.host.swap;

import dev.tutti.base.idle.Clock;
import dev.tutti.base.text.Sentence;
import dev.tutti.host.job.Job;
import dev.tutti.host.job.JobMessage;
import dev.tutti.host.job.SwapLink;
import dev.tutti.plugin.live.Changeover;
import dev.tutti.plugin.live.Followers;
import dev.tutti.plugin.live.LivePlugins;
import dev.tutti.plugin.live.ServedJar;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The process of rank 0 of a job, which decides which plugins all processes serve. Thread-safe; its
 * plugins make one change at a time.
 *
 * <ol>
 *   <li>PREPARE: each process loads the jars and reports success or the reason of its failure. If
 *       the processes share no memory, some may be on machines that do not have the files, so this
 *       process sends each jar to the processes that request it.
 *   <li>HOLD: each process stops beginning new plans, and reports when no plan is under way.
 *   <li>PUBLISH: each process serves the plugins of these jars.
 * </ol>
 *
 * <p>Until the last step, END undoes the change. Operations on which the ranks have agreed run
 * throughout the change. A process that leaves the job need not answer. A process that is lost ends
 * the change; the next change is made without it.
 */
public final class SwapLeader implements Followers, SwapLink.Listener {

  private final Job job;
  private final LivePlugins plugins;
  private final Clock clock;
  private final long patienceNanos;
  private final AtomicLong changes = new AtomicLong();

  /** Rolls back to older versions, one after another. */
  private final ExecutorService decisions =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().name("tutti-swap").factory());

  private volatile @Nullable Change current;
  private volatile boolean isClosed;

  private SwapLeader(Job job, LivePlugins plugins, Clock clock, long patienceNanos) {
    this.job = job;
    this.plugins = plugins;
    this.clock = clock;
    this.patienceNanos = patienceNanos;
  }

  /**
   * Makes all processes of a job serve the plugins of this process from now on.
   *
   * @param patienceNanos the longest time for a process to answer
   * @throws TuttiException with the refusal of a process; all processes get it
   */
  public static void share(Job job, LivePlugins plugins, Clock clock, long patienceNanos) {
    SwapLeader leader = new SwapLeader(job, plugins, clock, patienceNanos);
    job.swaps().listen(leader);
    plugins.share(leader);
  }

  private List<Integer> present() {
    return job.swaps().others().stream().filter(job::isPresent).toList();
  }

  private void tell(int process, long change, SwapMessage message) {
    job.swaps().send(process, change, message.body());
  }

  private void tellAll(long change, SwapMessage message) {
    present().forEach(process -> tell(process, change, message));
  }

  @Override
  public Answer prepare(List<ServedJar> jars) {
    Change change = new Change(changes.incrementAndGet(), jars);
    current = change;
    try {
      Veto veto = change.ask(new SwapMessage.Prepare(jars));
      if (veto == null) {
        return new Ready(change);
      }
      change.end(new TuttiException(veto.code(), "%s", veto.report()));
      return veto;
    } catch (RuntimeException | Error e) {
      change.end(reason(e));
      throw e;
    }
  }

  private static TuttiException reason(Throwable thrown) {
    return thrown instanceof TuttiException coded
        ? coded
        : new TuttiException(ErrorCode.PLUGIN_STATE, "the change was abandoned: %s", thrown);
  }

  private static TuttiException givenUp() {
    return new TuttiException(ErrorCode.PLUGIN_STATE, "the change was abandoned");
  }

  /** A change that all processes are making. */
  private final class Change implements Changeover {

    private final long number;

    /** The processes that must answer until the change is over, unless they leave the job. */
    private final List<Integer> members = present();

    private final Answers answers = new Answers(job.swaps()::name);
    private boolean isOver;

    /** The copies of its jars, by SHA-256. */
    private final Map<String, Path> copies;

    Change(long number, List<ServedJar> jars) {
      this.number = number;
      this.copies =
          jars.stream().collect(Collectors.toMap(ServedJar::content, ServedJar::copy, (a, b) -> a));
    }

    /** Asks all other processes and waits for their answers. */
    @Nullable Veto ask(SwapMessage question) {
      if (isClosed) {
        return null;
      }
      answers.expect(members);
      for (int process : members) {
        if (job.isPresent(process)) {
          tell(process, number, question);
        }
        // The listener is notified of an end only once, which can be before this question or after
        // its answers.
        if (!job.isPresent(process)) {
          ended(process, job.hasLost(process));
        }
      }
      return answers.await(patienceNanos);
    }

    /**
     * Handles the end of a process. If it has left the job, it need not answer; if it is lost, the
     * change ends.
     */
    void ended(int process, boolean isLost) {
      if (isLost) {
        answers.fail(
            new TuttiException(
                ErrorCode.PEER_LOST,
                "%s; the change of plugins is abandoned",
                job.swaps().lost(process)));
      } else {
        answers.add(process);
      }
    }

    @Override
    public void hold() {
      onJobThread(job.gate()::hold);
      Veto veto = ask(new SwapMessage.Hold());
      if (veto != null) {
        throw new TuttiException(veto.code(), "%s", veto.report());
      }
      if (!job.gate().awaitQuiet(clock, patienceNanos)) {
        throw new TuttiException(
            ErrorCode.DEADLINE_EXCEEDED,
            "rank 0 has had plans under way for %d ms, so plugins are not changed",
            patienceNanos / 1_000_000);
      }
    }

    @Override
    public void publish(Runnable publication) {
      onJobThread(
          () -> {
            publication.run();
            isOver = true;
            tellAll(number, new SwapMessage.Publish());
            job.gate().changed();
          });
      current = null;
    }

    @Override
    public void close() {
      end(givenUp());
    }

    void end(TuttiException reason) {
      if (!isOver) {
        isOver = true;
        current = null;
        tellAll(number, new SwapMessage.End(reason));
        onJobThread(job.gate()::release);
      }
    }

    /** Runs a step on the job's thread, or on this thread if the process has left the job. */
    private void onJobThread(Runnable step) {
      CompletableFuture<Void> done = new CompletableFuture<>();
      Runnable noted =
          () -> {
            try {
              step.run();
              done.complete(null);
            } catch (RuntimeException | Error e) {
              done.completeExceptionally(e);
            }
          };
      if (!job.isDoing(noted)) {
        noted.run();
      }
      try {
        done.join();
      } catch (CompletionException e) {
        if (e.getCause() instanceof TuttiException cause) {
          throw new TuttiException(cause.code(), cause, "%s", cause.getMessage());
        }
        throw new IllegalStateException("a change of plugins has failed", e.getCause());
      }
    }
  }

  // Versions that fail.

  @Override
  public boolean goBack(BooleanSupplier rollback) {
    job.gate().awaitsDecision();
    decide(
        () -> {
          boolean ignored = rollback.getAsBoolean();
        },
        job.gate()::decided);
    return false;
  }

  private void decide(Runnable decision, Runnable after) {
    try {
      decisions.execute(
          () -> {
            try {
              decision.run();
            } finally {
              after.run();
            }
          });
    } catch (RejectedExecutionException e) {
      // This process is leaving the job.
      after.run();
    }
  }

  private void failedElsewhere(int process, SwapMessage.Failed failed) {
    String reason = Sentence.of("on %s %s", job.swaps().rankNames(process), failed.reason());
    decide(
        () -> plugins.failedElsewhere(failed.plugin(), failed.content(), reason),
        () -> tell(process, 0, new SwapMessage.Decided()));
  }

  // Messages of the other processes.

  @Override
  public void receive(int process, JobMessage message) {
    SwapMessage said = SwapMessage.read(message.reader());
    Change change = current;
    if (said instanceof SwapMessage.Failed failed) {
      failedElsewhere(process, failed);
    } else if (said instanceof SwapMessage.Wanted wanted) {
      send(process, message.number(), wanted);
    } else if (change != null && change.number == message.number()) {
      switch (said) {
        case SwapMessage.Prepared _, SwapMessage.Held _ -> change.answers.add(process);
        case SwapMessage.Refused refused ->
            change.answers.refuse(
                new Veto(
                    refused.content(),
                    refused.error().code(),
                    Sentence.of(
                        "%s cannot serve it: %s",
                        job.swaps().name(process), String.valueOf(refused.error().getMessage()))));
        default -> throw new IllegalStateException("only rank 0 says this: " + said);
      }
    }
  }

  /** Sends a part of a jar. Reading a file is slow, so the job's thread does not do it. */
  private void send(int process, long number, SwapMessage.Wanted wanted) {
    Change change = current;
    Path copy =
        change == null || change.number != number ? null : change.copies.get(wanted.content());
    if (copy == null) {
      tell(process, number, new SwapMessage.Unsent(givenUp()));
    } else {
      Thread _ =
          Thread.ofVirtual().start(() -> tell(process, number, FetchedJars.answer(wanted, copy)));
    }
  }

  @Override
  public void ended(int process, boolean isLost) {
    Change change = current;
    if (change != null) {
      change.ended(process, isLost);
    }
  }

  @Override
  public void closed() {
    isClosed = true;
    decisions.shutdown();
    Change change = current;
    if (change != null) {
      change.answers.fail(
          new TuttiException(ErrorCode.INVALID_STATE, "this process has left the job"));
    }
  }
}
