package dev.tutti.mutation;

import dev.tutti.mutation.MutationScore.Count;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.matrix.Matrix;
import dev.tutti.verifier.matrix.MatrixCases;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Makes wrong algorithms from all algorithms on the class path, and prints the table for the docs.
 */
public final class CorpusTable {

  private final int members;
  private final List<Topology> groups;
  private CorpusScore score = CorpusScore.none();

  private CorpusTable(int members, List<Topology> groups) {
    this.members = members;
    this.groups = groups;
  }

  /**
   * Prints the number of wrong algorithms that the standard matrix detects, as Markdown.
   *
   * @param args the number of wrong algorithms to make from each correct one, 500 by default; the
   *     number of threads, 1 by default; a text that the names of the algorithms must contain; and
   *     groups, separated by commas, instead of those of the standard matrix
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if there are no algorithms
   */
  public static void main(String[] args) throws InterruptedException {
    int members = args.length == 0 ? 500 : Integer.parseInt(args[0]);
    int threads = args.length < 2 ? 1 : Integer.parseInt(args[1]);
    String part = args.length < 3 ? "" : args[2];
    List<Topology> groups =
        args.length < 4 ? List.of() : Stream.of(args[3].split(",")).map(Topology::parse).toList();
    CorpusTable table = new CorpusTable(members, groups);
    List<Runnable> tasks = new ArrayList<>();
    KnownAlgorithms.named(part)
        .forEach((name, executors) -> tasks.add(() -> table.judge(name, executors)));
    TableTasks.run(tasks, threads);
    table.print(System.out);
  }

  private void judge(String name, List<CollExecutorBase<?>> executors) {
    CorpusCheck check = CorpusCheck.of(executors.toArray(CollExecutorBase<?>[]::new));
    if (!groups.isEmpty()) {
      boolean isTransfer = name.startsWith(Operation.SEND.label() + " ");
      List<Topology> fitting =
          groups.stream().filter(group -> !isTransfer || group.rankSize() > 1).toList();
      check =
          check.withCases(MatrixCases.covering(Matrix.standard(executors).withTopologies(fitting)));
    }
    CorpusScore ofOne = check.run(members, name.hashCode());
    synchronized (this) {
      score = score.plus(ofOne);
      System.err.println(name + ": " + ofOne.toString().lines().findFirst().orElse(""));
    }
  }

  private void print(PrintStream out) {
    out.println(
        "| wrong under conditions on | algorithms | detected | not wrong | survivors | share |");
    out.println("|---|---:|---:|---:|---:|---:|");
    for (Map.Entry<ConditionKind, Count> kind : score.counts().entrySet()) {
      out.println(kind.getValue().row(kind.getKey().label()));
    }
    out.println(score.promised().row("**all but the last**"));
    out.println(score.total().row("**all**"));
    score.survivors().forEach(survivor -> out.println("- " + survivor));
  }
}
