package dev.tutti.host.swap;

import dev.tutti.base.idle.Clock;
import dev.tutti.host.job.Job;
import dev.tutti.host.job.JobMessage;
import dev.tutti.host.job.SwapLink;
import dev.tutti.plugin.live.FollowedPlugins;
import dev.tutti.plugin.live.Followers.Veto;
import dev.tutti.plugin.live.ServedJar;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A process of a job that serves the plugins that rank 0 decides on; see {@link SwapLeader}. If
 * rank 0 ends, this process keeps its plugins. Thread-safe.
 */
public final class SwapFollower implements SwapLink.Listener, FollowedPlugins.FailureListener {

  /** The process that has rank 0. */
  private static final int LEADER = 0;

  private final Job job;
  private final FollowedPlugins plugins;
  private final Clock clock;
  private final long patienceNanos;
  private final CompletableFuture<Void> first = new CompletableFuture<>();

  /** Runs slow steps one after another, so that they do not hold up the job's thread. */
  private final ExecutorService work =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().name("tutti-swap").factory());

  /** The number of failures that rank 0 has not decided about yet. Guarded by this. */
  private int undecided;

  private boolean isAlone;

  /** The jars of the change that this process prepares; null if it prepares none. */
  private volatile @Nullable FetchedJars fetching;

  private SwapFollower(Job job, FollowedPlugins plugins, Clock clock, long patienceNanos) {
    this.job = job;
    this.plugins = plugins;
    this.clock = clock;
    this.patienceNanos = patienceNanos;
  }

  /**
   * Serves the plugins of rank 0 from now on. Returns once this process serves the first plugins
   * that rank 0 has sent.
   *
   * @param firstNanos the longest time to wait for that
   * @param patienceNanos the longest time that plans of this process may delay a change
   * @throws TuttiException with the refusal of a process; {@link ErrorCode#JOB_REFUSED} if rank 0
   *     sends nothing
   */
  public static void follow(
      Job job, FollowedPlugins plugins, Clock clock, long firstNanos, long patienceNanos) {
    SwapFollower follower = new SwapFollower(job, plugins, clock, patienceNanos);
    plugins.onFailure(follower);
    job.swaps().listen(follower);
    if (!job.isPresent(LEADER)) {
      follower.ended(LEADER, job.hasLost(LEADER));
    }
    follower.awaitFirst(firstNanos);
  }

  private void awaitFirst(long nanos) {
    try {
      first.get(nanos, TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof TuttiException cause
          ? new TuttiException(cause.code(), cause, "%s", cause.getMessage())
          : new IllegalStateException(e.getCause());
    } catch (TimeoutException e) {
      throw new TuttiException(
          ErrorCode.JOB_REFUSED,
          "rank 0 has not reported within %d ms which plugins it serves; all processes of a job"
              + " must watch plugins, or none",
          TimeUnit.NANOSECONDS.toMillis(nanos));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TuttiException(
          ErrorCode.INTERRUPTED, e, "the wait for the plugins of rank 0 was interrupted");
    }
  }

  private void tell(long change, SwapMessage message) {
    job.swaps().send(LEADER, change, message.body());
  }

  @Override
  public void receive(int process, JobMessage message) {
    long change = message.number();
    SwapMessage said = SwapMessage.read(message.reader());
    switch (said) {
      case SwapMessage.Prepare prepare -> later(() -> prepare(change, prepare.jars()));
      case SwapMessage.Hold _ -> {
        job.gate().hold();
        later(() -> answerWhenQuiet(change));
      }
      case SwapMessage.Publish _ -> {
        try {
          plugins.publish();
        } finally {
          job.gate().changed();
        }
        boolean _ = first.complete(null);
      }
      case SwapMessage.End end -> {
        job.gate().release();
        later(plugins::forget);
        boolean _ = first.completeExceptionally(end.reason());
      }
      case SwapMessage.Decided _ -> decided();
      case SwapMessage.Part part -> fetching(change).ifPresent(jars -> jars.receive(part));
      case SwapMessage.Unsent unsent ->
          fetching(change).ifPresent(jars -> jars.fail(unsent.reason()));
      case SwapMessage.Prepared _,
          SwapMessage.Wanted _,
          SwapMessage.Refused _,
          SwapMessage.Held _,
          SwapMessage.Failed _ ->
          throw new IllegalStateException("only rank 0 gets this message: " + said);
    }
  }

  private void later(Runnable step) {
    try {
      work.execute(step);
    } catch (RejectedExecutionException e) {
      // This process is leaving the job.
    }
  }

  private void prepare(long change, List<ServedJar> jars) {
    Optional<Veto> veto;
    try (FetchedJars fetched = new FetchedJars(change, ask -> tell(change, ask), patienceNanos)) {
      fetching = fetched;
      veto = plugins.prepare(jars, job.sharesMemory() ? ServedJar::copy : fetched);
    } finally {
      fetching = null;
    }
    tell(
        change,
        veto.<SwapMessage>map(
                it ->
                    new SwapMessage.Refused(
                        it.content(), new TuttiException(it.code(), "%s", it.report())))
            .orElse(new SwapMessage.Prepared()));
  }

  /** The jars of a change, if this process prepares it. */
  private Optional<FetchedJars> fetching(long change) {
    return Optional.ofNullable(fetching).filter(jars -> jars.change() == change);
  }

  /** If plans take too long, this process sends no answer, and rank 0 abandons the change. */
  private void answerWhenQuiet(long change) {
    if (job.gate().awaitQuiet(clock, patienceNanos)) {
      plugins.held();
      tell(change, new SwapMessage.Held());
    }
  }

  // Versions that fail.

  @Override
  public void failed(String plugin, String content, String reason) {
    synchronized (this) {
      if (isAlone) {
        return;
      }
      undecided++;
      job.gate().awaitsDecision();
    }
    tell(0, new SwapMessage.Failed(plugin, content, reason));
  }

  private synchronized void decided() {
    if (undecided > 0) {
      undecided--;
      job.gate().decided();
    }
  }

  @Override
  public void ended(int process, boolean isLost) {
    if (process == LEADER) {
      goOnAlone(
          isLost
              ? new TuttiException(ErrorCode.PEER_LOST, "%s", job.swaps().lost(LEADER))
              : new TuttiException(
                  ErrorCode.JOB_REFUSED,
                  "rank 0 has left the job before all ranks served its plugins"));
    }
  }

  @Override
  public void closed() {
    work.shutdown();
    goOnAlone(new TuttiException(ErrorCode.JOB_REFUSED, "this process has left the job"));
  }

  /** Continues without the decisions of rank 0. */
  private void goOnAlone(TuttiException reason) {
    synchronized (this) {
      isAlone = true;
    }
    while (hasUndecided()) {
      decided();
    }
    Optional.ofNullable(fetching).ifPresent(jars -> jars.fail(reason));
    boolean _ = job.isDoing(job.gate()::release);
    boolean _ = first.completeExceptionally(reason);
  }

  private synchronized boolean hasUndecided() {
    return undecided > 0;
  }
}
