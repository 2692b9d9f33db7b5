package dev.tutti.mutation;

import dev.tutti.mutation.RequestMutants.RequestMutant;
import dev.tutti.plan.GroupPlan;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.verifier.matrix.CollectiveCase;
import dev.tutti.verifier.rule.Finding;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Checks the rules on one algorithm: changes one action of its plans, or one resource of its
 * requests, and counts what the static rules notice. Immutable.
 *
 * <p>The plans are those of 300 elements of float32 on 2 to 8 ranks of one node, in both modes,
 * over both protocols, in place and not, as far as they are supported and differ; in OP_BASE mode
 * they take two rounds up to 4 ranks, and one above. Every plan must be right: an {@link
 * AssertionError} says what the rules have against one that is not.
 *
 * <pre>{@code
 * MutationCheck.of(new RingAllReduce()).withOneIn(50, 1).run().requireAtLeast(0.99);
 * }</pre>
 */
public final class MutationCheck {

  private final List<CollExecutorBase<?>> executors;
  private final MutationCases cases;
  private final Sampling sampling;

  /**
   * Which mutants are judged, and which of the caught ones are tried for a false alarm.
   *
   * @param oneIn one in so many mutants
   * @param provenOneIn one in so many of those that are caught
   * @param seed chooses
   */
  private record Sampling(int oneIn, int provenOneIn, long seed) {

    BooleanSupplier chooser(int n, long salt) {
      Random random = new Random(seed + salt);
      return () -> n == 1 || random.nextInt(n) == 0;
    }
  }

  private MutationCheck(
      List<CollExecutorBase<?>> executors, MutationCases cases, Sampling sampling) {
    this.executors = List.copyOf(executors);
    this.cases = cases;
    this.sampling = sampling;
  }

  /**
   * A check of all mutants of an algorithm with its default parameters.
   *
   * @param executors one, or the sender and the receiver of a transfer
   */
  public static MutationCheck of(CollExecutorBase<?>... executors) {
    List<CollExecutorBase<?>> all = List.of(executors);
    return of(Operation.ofExecutor(all.getFirst().getClass()), all);
  }

  /** The same for executors whose classes do not say which operation they are for. */
  static MutationCheck of(Operation operation, List<CollExecutorBase<?>> executors) {
    return new MutationCheck(executors, MutationCases.of(operation), new Sampling(1, 1, 1));
  }

  private MutationCheck with(MutationCases newCases) {
    return new MutationCheck(executors, newCases, sampling);
  }

  /** The same with other numbers of ranks, from the least to the most. */
  public MutationCheck withRanks(int least, int most) {
    return with(
        new MutationCases(
            cases.operation(), least, most, cases.modes(), cases.protocols(), cases.options()));
  }

  /** The same in some modes and over some protocols only. */
  public MutationCheck within(List<WorkflowMode> modes, List<Protocol> protocols) {
    return with(
        new MutationCases(
            cases.operation(),
            cases.leastRanks(),
            cases.mostRanks(),
            modes,
            protocols,
            cases.options()));
  }

  /** The same for each of some values of the algorithm's parameters. */
  public MutationCheck withOptions(List<AlgOptions> options) {
    return with(
        new MutationCases(
            cases.operation(),
            cases.leastRanks(),
            cases.mostRanks(),
            cases.modes(),
            cases.protocols(),
            options));
  }

  /**
   * The same on a sample: each mutant is taken with a probability of one in {@code n}.
   *
   * @param newSeed chooses
   */
  public MutationCheck withOneIn(int n, long newSeed) {
    return new MutationCheck(executors, cases, new Sampling(n, sampling.provenOneIn(), newSeed));
  }

  /**
   * The same, but only one in {@code n} of the mutants that a rule notices is tried for a false
   * alarm, which takes longer than to notice it. The counts and the score stay the same.
   */
  public MutationCheck withProvenOneIn(int n) {
    return new MutationCheck(executors, cases, new Sampling(sampling.oneIn(), n, sampling.seed()));
  }

  /** Judges the mutants. */
  public MutationScore run() {
    Tally tally = new Tally(sampling.chooser(sampling.provenOneIn(), 1));
    BooleanSupplier isWanted = sampling.chooser(sampling.oneIn(), 0);
    Set<String> known = new HashSet<>();
    for (CollectiveCase c : cases.all()) {
      Subject subject = new Subject(c, executors);
      if (subject.isSupported()) {
        GroupPlan plan = subject.record();
        if (known.add(c.comm().mode() + plan.digest())) {
          judge(c, subject, plan, isWanted, tally);
        }
      }
    }
    return tally.score();
  }

  private static void judge(
      CollectiveCase c, Subject subject, GroupPlan plan, BooleanSupplier isWanted, Tally tally) {
    List<Finding> findings = subject.judge(plan);
    if (!Tally.errors(findings).isEmpty()) {
      throw new AssertionError(
          "mutants are made of right plans only; of %s was found: %s".formatted(c, findings));
    }
    Equivalence equivalence = new Equivalence(plan, c.operation(), c.dataType());
    Mutants.of(
        plan,
        c.dataType(),
        c.reduceOp(),
        isWanted,
        mutant ->
            tally.add(
                mutant.operator(),
                subject.toString(),
                subject.judge(mutant.plan()),
                () -> equivalence.holdsFor(mutant),
                () -> equivalence.holdsButForAssociation(mutant),
                mutant));
    for (RequestMutant mutant : RequestMutants.of(subject.requests(), c.dataType().size())) {
      if (isWanted.getAsBoolean()) {
        tally.add(
            mutant.operator(),
            subject.toString(),
            subject.judge(mutant.change()),
            () -> mutant.operator() == Operator.RESOURCE && subject.isPlanOf(mutant.change(), plan),
            () -> false,
            mutant.operator().label() + ": " + mutant.text());
      }
    }
  }
}
