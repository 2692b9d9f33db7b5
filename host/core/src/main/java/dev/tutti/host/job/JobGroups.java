package dev.tutti.host.job;

import dev.tutti.engine.message.MessageWorld;
import dev.tutti.host.job.JobMessage.Kind;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** The groups that have ranks of this process. Thread-safe. */
public final class JobGroups {

  private final Job job;
  private final AtomicInteger ofAll = new AtomicInteger();
  private final Map<String, Wanted> wanted = new ConcurrentHashMap<>();
  private final Map<Integer, JobGroup> open = new ConcurrentHashMap<>();

  /** Messages for groups that do not exist here yet; confined to the job's thread. */
  private final Map<Integer, List<JobMessage>> early = new HashMap<>();

  /** The groups that were closed here. Guarded by itself. */
  private final BitSet closed = new BitSet();

  /** A group that this process is waiting for. */
  private record Wanted(int[] members, CompletableFuture<JobGroup> made) {

    boolean needs(int process, JobProcesses processes) {
      return process == 0
          || IntStream.of(members).anyMatch(each -> processes.processOf(each) == process);
    }
  }

  JobGroups(Job job) {
    this.job = job;
  }

  /**
   * Makes the next group of all ranks, together with all other processes. The parameters and errors
   * are those of {@link #create}.
   */
  public JobGroup createOfAll(String topology, long patienceNanos) {
    int[] members = IntStream.range(0, job.size()).toArray();
    return create("group " + ofAll.incrementAndGet(), members, topology, patienceNanos);
  }

  /**
   * Makes a group together with the processes of its other ranks.
   *
   * @param name its name, the same in all processes; no other group of the job may ever have it
   * @param members the rank in the job of each rank of the group
   * @param topology the topology in words, which must be the same in all processes
   * @param patienceNanos the longest time to wait for the others
   * @throws TuttiException with {@link ErrorCode#CALL_MISMATCH} if another process makes another
   *     group; {@link ErrorCode#DEADLINE_EXCEEDED}; {@link ErrorCode#PEER_LOST}; {@link
   *     ErrorCode#INVALID_STATE} if one of them has left the job
   */
  JobGroup create(String name, int[] members, String topology, long patienceNanos) {
    Wanted group = new Wanted(members, new CompletableFuture<>());
    wanted.put(name, group);
    try {
      tellLosses();
      if (!group.made().isDone()) {
        job.requireRoute();
        BodyWriter body = new BodyWriter().text(name).text(topology);
        body.counts(members);
        job.tell(0, Kind.GROUP, 0, body.bytes());
      }
      return await(name, group.made(), patienceNanos);
    } finally {
      wanted.remove(name, group);
    }
  }

  private JobGroup await(String name, CompletableFuture<JobGroup> made, long patienceNanos) {
    TuttiException late = null;
    try {
      return made.get(patienceNanos, TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      // Thrown below.
    } catch (TimeoutException e) {
      late =
          new TuttiException(
              ErrorCode.DEADLINE_EXCEEDED,
              "rank %d waited %d ms for the other processes to make %s too; every process must make"
                  + " the same groups in the same order",
              job.rank(),
              patienceNanos / 1_000_000,
              name);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      late =
          new TuttiException(
              ErrorCode.INTERRUPTED,
              e,
              "the wait for the other processes to make %s was interrupted",
              name);
    }
    if (late != null && made.cancel(false)) {
      throw late;
    }
    try {
      return made.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof TuttiException cause
          ? new TuttiException(cause.code(), cause, "%s", cause.getMessage())
          : new TuttiException(ErrorCode.JOB_REFUSED, e, "%s was not made: %s", name, e.getCause());
    }
  }

  /** Handles a message of another process about a group, on the job's thread. */
  void receive(JobMessage message) {
    if (message.kind() == Kind.GROUP_MADE) {
      made(message);
      return;
    }
    JobGroup group = open.get(message.group());
    if (group != null) {
      group.receive(message);
    } else if (!isClosed(message.group())) {
      early.computeIfAbsent(message.group(), key -> new ArrayList<>()).add(message);
    }
  }

  private void made(JobMessage message) {
    int number = message.group();
    BodyReader body = message.reader();
    String name = body.text();
    Wanted waiting = wanted.get(name);
    CompletableFuture<JobGroup> result =
        waiting == null ? new CompletableFuture<>() : waiting.made();
    if (body.number() == 0) {
      // Rank 0 may refuse because it has seen a loss and left. The loss is the reason to tell.
      tellLosses();
      result.completeExceptionally(body.error());
      return;
    }
    int[] members = body.counts();
    try {
      JobGroup group = newGroup(number, members, body);
      open.put(number, group);
      Objects.requireNonNullElse(early.remove(number), List.<JobMessage>of())
          .forEach(group::receive);
      for (int member : members) {
        int process = job.processes().processOf(member);
        if (job.hasLost(process)) {
          group.lost(process);
        }
      }
      if (waiting == null || !result.complete(group)) {
        group.close("");
      }
    } catch (TuttiException e) {
      leave(number, members, "");
      result.completeExceptionally(e);
    }
  }

  private JobGroup newGroup(int number, int[] members, BodyReader made) {
    MessageWorld world = job.world();
    if (world == null) {
      MemorySegment memory = job.windows().segment(MemoryWindows.Place.read(made), false);
      return new JobGroup(job, number, members, new GroupLines(memory, members.length), null);
    }
    int here = (int) IntStream.of(members).filter(job.processes()::isHere).count();
    int[] processes = IntStream.of(members).map(job.processes()::processOf).distinct().toArray();
    MessageLinks links = new MessageLinks(world, processes, made.count(), here);
    return new JobGroup(job, number, members, null, links);
  }

  private boolean isClosed(int number) {
    synchronized (closed) {
      return closed.get(number);
    }
  }

  /** Informs the processes of a group, and rank 0, that this process has left the group. */
  private void leave(int number, int[] members, String cause) {
    JobProcesses processes = job.processes();
    byte[] body = cause.isEmpty() ? Job.NOTHING : new BodyWriter().text(cause).bytes();
    IntStream.of(members)
        .map(processes::processOf)
        .distinct()
        .filter(process -> process != processes.own())
        .forEach(process -> job.tell(processes.firstRank(process), Kind.GROUP_LEFT, number, body));
    job.tell(0, Kind.GROUP_FREED, number, Job.NOTHING);
  }

  /**
   * Removes a group that this process no longer uses. If the cause is empty, the group was closed
   * normally; otherwise it failed.
   */
  void closed(JobGroup group, String cause) {
    synchronized (closed) {
      closed.set(group.number());
    }
    open.remove(group.number());
    leave(group.number(), group.members(), cause);
  }

  private void tellLosses() {
    for (int process = 0; process < job.processes().count(); process++) {
      if (job.hasLost(process)) {
        lost(process);
      }
    }
  }

  /** Handles the end of a process of the job. */
  void lost(int process) {
    wanted.forEach(
        (name, group) -> {
          if (group.needs(process, job.processes())) {
            group
                .made()
                .completeExceptionally(
                    new TuttiException(
                        ErrorCode.PEER_LOST,
                        "%s; %s cannot be made",
                        job.processes().lost(process),
                        name));
          }
        });
    open.values().forEach(group -> group.lost(process));
  }
}
