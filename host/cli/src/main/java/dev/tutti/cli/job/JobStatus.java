package dev.tutti.cli.job;

import dev.tutti.base.text.Sentence;
import dev.tutti.host.status.GroupStatus;
import dev.tutti.host.status.RankStatus;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The status of a job's processes, from the answer of each.
 *
 * @param directory the directory where they meet
 * @param facts the facts of their launcher; null if there are none
 * @param ranks the answer of each rank, in order
 */
record JobStatus(Path directory, @Nullable JobFacts facts, List<RankAnswer> ranks) {

  /** The state of a group of all ranks is the first of these states that any rank has. */
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
    ranks = List.copyOf(ranks);
  }

  /** Asks all ranks of a job, at the same time. */
  static JobStatus of(Path directory) {
    JobFacts facts = JobFacts.read(directory);
    List<Integer> known =
        facts == null
            ? JobDirectory.ranksOf(directory)
            : IntStream.range(0, facts.processes().size()).boxed().toList();
    try (ExecutorService askers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<CompletableFuture<RankAnswer>> answers = new ArrayList<>();
      for (int rank : known) {
        long process = facts == null ? 0 : facts.processes().get(rank);
        answers.add(
            CompletableFuture.supplyAsync(() -> RankAnswer.of(directory, rank, process), askers));
      }
      return new JobStatus(
          directory, facts, answers.stream().map(CompletableFuture::join).toList());
    }
  }

  /** The reports of the ranks that answer, in order. */
  List<RankReport> reports() {
    List<RankReport> reports = new ArrayList<>();
    for (RankAnswer each : ranks) {
      if (each instanceof RankAnswer.Report(RankReport report)) {
        reports.add(report);
      }
    }
    return reports;
  }

  /**
   * The groups, which all ranks make in the same order, each with the activity of all its ranks.
   */
  List<GroupStatus> groups() {
    TreeSet<Long> numbers = new TreeSet<>();
    reports().forEach(report -> report.groups().forEach(group -> numbers.add(group.number())));
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
    List<RankStatus> all = new ArrayList<>();
    for (RankAnswer each : ranks) {
      all.addAll(
          switch (each) {
            case RankAnswer.Report(RankReport report) -> ofRank(each, views(report, number));
            case RankAnswer.Silence silence -> ofSilentRank(silence, views);
          });
    }
    return new GroupStatus(
        number, shown.title(), shown.rankSize(), shown.state(), shown.doing(), all);
  }

  private static List<GroupStatus> views(RankReport report, long number) {
    return report.groups().stream().filter(group -> group.number() == number).toList();
  }

  /** The status that a rank reports about itself. */
  private static List<RankStatus> ofRank(RankAnswer answer, List<GroupStatus> views) {
    if (views.isEmpty()) {
      return List.of(outside(answer, "has not made the group, or has closed it"));
    }
    GroupStatus view = views.getFirst();
    List<RankStatus> own = own(answer, view.ranks());
    if (!own.isEmpty()) {
      return own;
    }
    return List.of(
        switch (view.state()) {
          case IDLE -> outside(answer, "has not called");
          case MEETING -> goesOn(answer, "from call to call");
          case RUNNING, CAPTURING -> goesOn(answer, view.doing());
          case POISONED, CLOSED -> outside(answer, "finds the group " + view.doing());
        });
  }

  /** The status of a silent rank that others see in the memory that they share. */
  private static List<RankStatus> ofSilentRank(
      RankAnswer.Silence silence, List<GroupStatus> views) {
    List<RankStatus> seen = new ArrayList<>();
    for (GroupStatus view : views) {
      for (RankStatus each : own(silence, view.ranks())) {
        if (seen.stream().noneMatch(known -> known.doing().equals(each.doing()))) {
          seen.add(each);
        }
      }
    }
    if (seen.isEmpty()) {
      return List.of(outside(silence, silence.reason()));
    }
    RankStatus last = seen.getFirst();
    return List.of(
        new RankStatus(
            silence.rank(),
            silence.name(),
            last.state(),
            Sentence.of("%s; it %s", silence.reason(), last.doing()),
            last.waitsFor(),
            last.at()));
  }

  private static List<RankStatus> own(RankAnswer answer, List<RankStatus> all) {
    return all.stream()
        .filter(each -> each.rank() == answer.rank())
        .map(
            each ->
                new RankStatus(
                    each.rank(),
                    answer.name(),
                    each.state(),
                    each.doing(),
                    each.waitsFor(),
                    each.at()))
        .toList();
  }

  private static RankStatus goesOn(RankAnswer answer, String doing) {
    return new RankStatus(
        answer.rank(), answer.name(), RankStatus.State.RUNNING, "goes on " + doing, List.of(), "");
  }

  private static RankStatus outside(RankAnswer answer, String doing) {
    return new RankStatus(
        answer.rank(), answer.name(), RankStatus.State.OUTSIDE, doing, List.of(), "");
  }
}
