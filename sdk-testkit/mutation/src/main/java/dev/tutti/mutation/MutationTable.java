package dev.tutti.mutation;

import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.verifier.rule.Rule;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;

/** Judges all mutants of all algorithms on the class path, and prints the tables of the docs. */
public final class MutationTable {

  /** One in this number of caught mutants is tested for a false alarm. */
  private static final int PROVEN_ONE_IN = 50;

  private final Map<String, MutationScore> scores = new TreeMap<>();

  private MutationTable() {}

  /** One algorithm on a number of ranks. */
  private record Task(String name, List<CollExecutorBase<?>> executors, int ranks) {}

  /**
   * Prints the tables as Markdown.
   *
   * <p>Without a sample, it judges all mutants of two plans for each number of ranks, with the
   * default parameters: one in GRAPH mode over DIRECT links, and one in OP_BASE mode over RDMA
   * links. It also judges each in place, if that gives another plan. With a sample, it uses plans
   * of all modes, protocols and parameters.
   *
   * @param args the largest number of ranks, 8 by default; n to judge one in n mutants, 1 by
   *     default; the number of threads, 1 by default; and a text that the names of the algorithms
   *     must contain
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if there are no algorithms
   */
  public static void main(String[] args) throws InterruptedException {
    int mostRanks = args.length == 0 ? 8 : Integer.parseInt(args[0]);
    int oneIn = args.length < 2 ? 1 : Integer.parseInt(args[1]);
    int threads = args.length < 3 ? 1 : Integer.parseInt(args[2]);
    String part = args.length < 4 ? "" : args[3];
    Map<String, List<CollExecutorBase<?>>> algorithms = KnownAlgorithms.named(part);
    List<Task> tasks = new ArrayList<>();
    for (int ranks = 2; ranks <= mostRanks; ranks++) {
      for (Map.Entry<String, List<CollExecutorBase<?>>> algorithm : algorithms.entrySet()) {
        tasks.add(new Task(algorithm.getKey(), algorithm.getValue(), ranks));
      }
    }
    MutationTable table = new MutationTable();
    table.judge(tasks, oneIn, threads);
    table.print(System.out);
  }

  private void judge(List<Task> tasks, int oneIn, int threads) throws InterruptedException {
    List<Runnable> judgements = new ArrayList<>();
    for (Task task : tasks) {
      String place = "%d of %d".formatted(judgements.size() + 1, tasks.size());
      judgements.add(() -> judge(task, oneIn, place));
    }
    TableTasks.run(judgements, threads);
  }

  private void judge(Task task, int oneIn, String place) {
    long start = System.nanoTime();
    MutationScore score = score(task.executors(), task.ranks(), oneIn);
    synchronized (scores) {
      scores.merge(task.name(), score, MutationScore::plus);
    }
    System.err.printf(
        Locale.ROOT,
        "%s: %s on %d ranks: %d mutants, %d caught, %d equivalent, %d survivors, %d false alarms,"
            + " %.1f s%n",
        place,
        task.name(),
        task.ranks(),
        score.total().mutants(),
        score.total().caught(),
        score.total().equivalent(),
        score.survivors().size(),
        score.falseAlarms().size(),
        (System.nanoTime() - start) * 1e-9);
  }

  private static MutationScore score(List<CollExecutorBase<?>> executors, int ranks, int oneIn) {
    MutationCheck all =
        MutationCheck.of(executors.toArray(CollExecutorBase<?>[]::new)).withRanks(ranks, ranks);
    if (oneIn > 1) {
      List<AlgOptions> options = ParameterValues.of(executors.getFirst());
      return all.withOptions(options).withOneIn(oneIn, ranks).run();
    }
    MutationCheck whole = all.withProvenOneIn(PROVEN_ONE_IN);
    return whole
        .within(List.of(WorkflowMode.GRAPH), List.of(Protocol.DIRECT))
        .run()
        .plus(whole.within(List.of(WorkflowMode.OP_BASE), List.of(Protocol.RDMA)).run());
  }

  private void print(PrintStream out) {
    MutationScore all = scores.values().stream().reduce(MutationScore.none(), MutationScore::plus);
    out.println("| algorithm | mutants | caught | equivalent | survivors | score |");
    out.println("|---|---:|---:|---:|---:|---:|");
    scores.forEach((name, score) -> out.println(score.total().row(name)));
    out.println(all.total().row("**all**"));
    out.println();
    out.println("| operator | mutants | caught | equivalent | survivors | score |");
    out.println("|---|---:|---:|---:|---:|---:|");
    all.counts().forEach((operator, count) -> out.println(count.row(operator.label())));
    out.println();
    printRules(out, all);
    all.survivors().forEach(survivor -> out.println("- survivor: " + survivor));
    all.falseAlarms().forEach(alarm -> out.println("- false alarm: " + alarm));
  }

  private static void printRules(PrintStream out, MutationScore all) {
    StringJoiner head = new StringJoiner(" | ", "| rule | ", " |");
    StringJoiner line = new StringJoiner("|", "|---|", "|");
    for (Operator operator : all.counts().keySet()) {
      head.add(operator.label());
      line.add("---:");
    }
    out.println(head);
    out.println(line);
    for (Map.Entry<Rule, Map<Operator, Long>> rule : all.rules().entrySet()) {
      StringJoiner row = new StringJoiner(" | ", "| " + rule.getKey().id() + " | ", " |");
      for (Operator operator : all.counts().keySet()) {
        Long count = rule.getValue().get(operator);
        row.add(count == null ? "" : "%,d".formatted(count));
      }
      out.println(row);
    }
  }
}
