package dev.tutti.testkit.mutation;

import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.TuttiException;
import dev.tutti.testkit.mutation.MutationScore.Count;
import dev.tutti.testkit.rule.Rule;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.StringJoiner;
import java.util.TreeMap;

/** Judges all mutants of all algorithms on the class path, and prints the tables of the docs. */
public final class MutationTable {

  private final Map<String, MutationScore> scores = new LinkedHashMap<>();

  private MutationTable() {}

  /**
   * Prints the tables as Markdown.
   *
   * @param args the most ranks, 8 if left out; and n to judge one in n mutants, 1 if left out
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if there are no algorithms
   */
  public static void main(String[] args) {
    int mostRanks = args.length == 0 ? 8 : Integer.parseInt(args[0]);
    int oneIn = args.length < 2 ? 1 : Integer.parseInt(args[1]);
    Map<String, List<CollExecutorBase<?>>> algorithms = algorithms();
    if (algorithms.isEmpty()) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "there are no algorithms to judge; put the jars of plugins on the class path");
    }
    MutationTable table = new MutationTable();
    algorithms.forEach(
        (name, executors) -> {
          System.err.println("judging the mutants of " + name + " …");
          table.scores.put(name, score(executors, mostRanks, oneIn));
        });
    table.print(System.out);
  }

  /**
   * The executors of each algorithm by its operation and name: one, or the halves of a transfer.
   */
  private static Map<String, List<CollExecutorBase<?>>> algorithms() {
    Map<String, List<CollExecutorBase<?>>> algorithms = new TreeMap<>();
    for (CollExecutorBase<?> executor : ServiceLoader.load(CollExecutorBase.class)) {
      Operation operation = Operation.ofExecutor(executor.getClass());
      CollAlgorithm algorithm = executor.getClass().getAnnotation(CollAlgorithm.class);
      String family = operation == Operation.RECEIVE ? Operation.SEND.label() : operation.label();
      String name = algorithm == null ? executor.getClass().getSimpleName() : algorithm.name();
      List<CollExecutorBase<?>> executors =
          algorithms.computeIfAbsent(family + " " + name, key -> new ArrayList<>());
      executors.add(operation == Operation.SEND ? 0 : executors.size(), executor);
    }
    return algorithms;
  }

  private static MutationScore score(
      List<CollExecutorBase<?>> executors, int mostRanks, int oneIn) {
    List<AlgOptions> options = ParameterValues.of(executors.getFirst());
    return MutationCheck.of(executors.toArray(CollExecutorBase<?>[]::new))
        .withRanks(2, mostRanks)
        .withOptions(options)
        .withOneIn(oneIn, 1)
        .run();
  }

  private void print(PrintStream out) {
    MutationScore all = scores.values().stream().reduce(MutationScore.none(), MutationScore::plus);
    out.println("| algorithm | mutants | caught | equivalent | survivors | score |");
    out.println("|---|---:|---:|---:|---:|---:|");
    scores.forEach((name, score) -> out.println(row(name, score.total())));
    out.println(row("**all**", all.total()));
    out.println();
    out.println("| operator | mutants | caught | equivalent | survivors | score |");
    out.println("|---|---:|---:|---:|---:|---:|");
    all.counts().forEach((operator, count) -> out.println(row(operator.label(), count)));
    out.println();
    printRules(out, all);
    all.survivors().forEach(survivor -> out.println("- survivor: " + survivor));
    all.falseAlarms().forEach(alarm -> out.println("- false alarm: " + alarm));
  }

  private static String row(String name, Count count) {
    return "| %s | %,d | %,d | %,d | %,d | %s |"
        .formatted(
            name,
            count.mutants(),
            count.caught(),
            count.equivalent(),
            count.survivors(),
            String.format(Locale.ROOT, "%.2f %%", 100 * count.score()));
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
