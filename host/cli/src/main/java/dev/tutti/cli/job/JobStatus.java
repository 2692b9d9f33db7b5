package dev.tutti.cli.job;

import dev.tutti.base.text.Sentence;
import dev.tutti.cli.terminal.ExitCode;
import dev.tutti.host.job.ProcessState;
import dev.tutti.host.status.GroupStatus;
import dev.tutti.host.status.RankStatus;
import dev.tutti.sdk.TuttiException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The status of a job's processes, from their answers.
 *
 * @param directory the directory where they meet, or the directory of one of them
 * @param facts the facts of their launcher; null if there are none
 * @param answers the answer of each process, in order
 * @param problem why the process of the directory cannot report about the others; empty if it can
 */
record JobStatus(
    Path directory, @Nullable JobFacts facts, List<RankAnswer> answers, String problem) {

  /** The state of a whole group is the first of these states that any of its ranks has. */
  private static final List<GroupStatus.State> ORDER =
      List.of(
          GroupStatus.State.POISONED,
          GroupStatus.State.RUNNING,
          GroupStatus.State.CAPTURING,
          GroupStatus.State.MEETING,
          GroupStatus.State.IDLE,
          GroupStatus.State.CLOSED);

  /** Takes an immutable copy. */
  JobStatus {
    answers = List.copyOf(answers);
  }

  /** Asks all ranks of a job, at the same time. */
  static JobStatus of(Path directory) {
    JobFacts facts = JobFacts.read(directory);
    if (facts != null && facts.isMpi()) {
      return ofMpi(directory, facts);
    }
    List<Integer> known =
        facts == null
            ? JobDirectory.ranksOf(directory)
            : IntStream.range(0, facts.processes().size()).boxed().toList();
    try (ExecutorService askers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<CompletableFuture<RankAnswer>> asked = new ArrayList<>();
      for (int rank : known) {
        long process = facts == null ? 0 : facts.processes().get(rank);
        asked.add(
            CompletableFuture.supplyAsync(() -> RankAnswer.of(directory, rank, process), askers));
      }
      return new JobStatus(
          directory, facts, asked.stream().map(CompletableFuture::join).toList(), "");
    }
  }

  /** Asks one process of a job that MPI connects; it asks the others. */
  private static JobStatus ofMpi(Path directory, JobFacts facts) {
    long process = facts.processes().getFirst();
    StringWriter text = new StringWriter();
    String problem;
    try {
      ProcessState state = ProcessState.of(process);
      if (state != ProcessState.ALIVE) {
        problem = state.describe(process);
      } else if (RankAnswer.call(directory, 0, RankServer.JOB, text) == ExitCode.OK) {
        return new JobStatus(directory, facts, RankServer.read(text.toString()), "");
      } else {
        problem = text.toString().strip();
      }
    } catch (TuttiException | DateTimeException e) {
      problem = e.getLocalizedMessage();
    }
    return new JobStatus(
        directory,
        facts,
        List.of(),
        Sentence.of("process %d does not answer: %s", process, problem));
  }

  /** The reports of the ranks that answer, in order. */
  List<RankReport> reports() {
    List<RankReport> reports = new ArrayList<>();
    for (RankAnswer each : answers) {
      if (each instanceof RankAnswer.Report(RankReport report)) {
        reports.add(report);
      }
    }
    return reports;
  }

  /**
   * The groups, each with the activity of all its ranks. All ranks make groups in the same order.
   */
  List<GroupStatus> groups() {
    TreeSet<Long> numbers = new TreeSet<>();
    reports()
        .forEach(report -> report.facts().groups().forEach(group -> numbers.add(group.number())));
    return numbers.stream().map(this::group).toList();
  }

  private GroupStatus group(long number) {
    List<GroupStatus> views = new ArrayList<>();
    reports().forEach(report -> views.addAll(views(report, number)));
    GroupStatus shown = views.getFirst();
    for (GroupStatus each : views) {
      if (ORDER.indexOf(each.state()) < ORDER.indexOf(shown.state())) {
        shown = each;
      }
    }
    return new GroupStatus(
        number,
        shown.title(),
        shown.rankSize(),
        shown.state(),
        shown.doing(),
        shown.rankSize() == answers.stream().mapToInt(RankAnswer::ranksHere).sum()
            ? ofAll(number, views)
            : ofSome(views));
  }

  /** The activity of the ranks of a group of all ranks. */
  private List<RankStatus> ofAll(long number, List<GroupStatus> views) {
    List<RankStatus> all = new ArrayList<>();
    for (RankAnswer each : answers) {
      for (int rank : each.ranks().toArray()) {
        all.addAll(
            switch (each) {
              case RankAnswer.Report(RankReport report) ->
                  ofRank(each, rank, views(report, number));
              case RankAnswer.Silence silence -> ofSilentRank(silence, rank, views);
            });
      }
    }
    return all;
  }

  /** The activity of the ranks of a sub-group, which numbers its ranks anew. */
  private static List<RankStatus> ofSome(List<GroupStatus> views) {
    return views.stream()
        .flatMap(view -> view.ranks().stream())
        .distinct()
        .sorted(Comparator.comparingInt(RankStatus::rank))
        .toList();
  }

  private static List<GroupStatus> views(RankReport report, long number) {
    return report.facts().groups().stream().filter(group -> group.number() == number).toList();
  }

  /** The status that a rank reports about itself. */
  private static List<RankStatus> ofRank(RankAnswer answer, int rank, List<GroupStatus> views) {
    if (views.isEmpty()) {
      return List.of(outside(answer, rank, "has not made the group, or has closed it"));
    }
    GroupStatus view = views.getFirst();
    List<RankStatus> own = own(answer, rank, view.ranks());
    if (!own.isEmpty()) {
      return own;
    }
    return List.of(
        switch (view.state()) {
          case IDLE -> outside(answer, rank, "has not called");
          case MEETING -> goesOn(answer, rank, "from call to call");
          case RUNNING, CAPTURING -> goesOn(answer, rank, view.doing());
          case POISONED, CLOSED -> outside(answer, rank, "finds the group " + view.doing());
        });
  }

  /** The status of a silent rank, as the other ranks see it in shared memory. */
  private static List<RankStatus> ofSilentRank(
      RankAnswer.Silence silence, int rank, List<GroupStatus> views) {
    List<RankStatus> seen = new ArrayList<>();
    for (GroupStatus view : views) {
      for (RankStatus each : own(silence, rank, view.ranks())) {
        if (seen.stream().noneMatch(known -> known.doing().equals(each.doing()))) {
          seen.add(each);
        }
      }
    }
    if (seen.isEmpty()) {
      return List.of(outside(silence, rank, silence.reason()));
    }
    RankStatus last = seen.getFirst();
    return List.of(
        new RankStatus(
            rank,
            silence.name(rank),
            last.state(),
            Sentence.of("%s; it %s", silence.reason(), last.doing()),
            last.waitsFor(),
            last.at()));
  }

  private static List<RankStatus> own(RankAnswer answer, int rank, List<RankStatus> all) {
    return all.stream()
        .filter(each -> each.rank() == rank)
        .map(
            each ->
                new RankStatus(
                    each.rank(),
                    answer.name(rank),
                    each.state(),
                    each.doing(),
                    each.waitsFor(),
                    each.at()))
        .toList();
  }

  private static RankStatus goesOn(RankAnswer answer, int rank, String doing) {
    return new RankStatus(
        rank, answer.name(rank), RankStatus.State.RUNNING, "goes on " + doing, List.of(), "");
  }

  private static RankStatus outside(RankAnswer answer, int rank, String doing) {
    return new RankStatus(rank, answer.name(rank), RankStatus.State.OUTSIDE, doing, List.of(), "");
  }
}
