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
 * Checks the rules on one algorithm. Changes one action of its plans, or one resource of its
 * requests, and counts the changes that the static rules notice. Immutable.
 *
 * <p>The plans are for 300 elements of float32 on 2 to 8 ranks of one node, in both modes, over
 * both protocols, in place and out of place. Cases that are not supported and plans that repeat are
 * left out. In OP_BASE mode, up to 4 ranks need two rounds, and more ranks one. Every plan must be
 * correct; otherwise the check throws an {@link AssertionError} with the findings.
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
   * The sample of mutants to judge, and of caught mutants to test for a false alarm.
   *
   * @param oneIn judges one in this number of mutants
   * @param provenOneIn tests one in this number of caught mutants
   * @param seed chooses the mutants
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
   * @param executors one executor, or the sender and the receiver of a transfer
   */
  public static MutationCheck of(CollExecutorBase<?>... executors) {
    List<CollExecutorBase<?>> all = List.of(executors);
    return of(Operation.ofExecutor(all.getFirst().getClass()), all);
  }

  /** A check of executors whose classes do not define their operation. */
  static MutationCheck of(Operation operation, List<CollExecutorBase<?>> executors) {
    return new MutationCheck(executors, MutationCases.of(operation), new Sampling(1, 1, 1));
  }

  private MutationCheck with(MutationCases newCases) {
    return new MutationCheck(executors, newCases, sampling);
  }

  /** The same check for other numbers of ranks, from {@code least} to {@code most}. */
  public MutationCheck withRanks(int least, int most) {
    return with(
        new MutationCases(
            cases.operation(), least, most, cases.modes(), cases.protocols(), cases.options()));
  }

  /** The same check only in some modes and over some protocols. */
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

  /** The same check with each of several values of the algorithm's parameters. */
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
   * The same check on a sample: it judges each mutant with a probability of one in {@code n}.
   *
   * @param newSeed chooses the mutants
   */
  public MutationCheck withOneIn(int n, long newSeed) {
    return new MutationCheck(executors, cases, new Sampling(n, sampling.provenOneIn(), newSeed));
  }

  /**
   * The same check, but it tests only one in {@code n} caught mutants for a false alarm, which
   * takes longer than the rules. The counts and the score stay the same.
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
          "mutants are made from correct plans only. Findings in %s: %s".formatted(c, findings));
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
