package dev.tutti.mutation;

import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.matrix.CollectiveCase;
import dev.tutti.verifier.matrix.Matrix;
import dev.tutti.verifier.matrix.Traits;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Many more cases than a matrix has: every combination of groups of up to 17 ranks, counts, types,
 * reductions, roots, protocols, modes, places and parameters. If none of these cases reveals a
 * mistake, the mistake counts as harmless.
 */
final class WiderCases {

  private static final List<Topology> GROUPS =
      Stream.of(
              "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17",
              "2+2 3+2 5+1 8+4 1+1|1 4+4|1 2+2|2+2 3+3|3 4+4|3")
          .flatMap(line -> Stream.of(line.split(" ")))
          .map(Topology::parse)
          .toList();

  /**
   * The largest number of cases with the same type, reduction, protocol, mode, place and
   * parameters.
   */
  private static final int MOST_ALIKE = 4;

  /** After this many refused cases, the algorithm is assumed to refuse all. */
  private static final int MOST_REFUSED = 400;

  private final Operation operation;
  private final List<AlgOptions> options;

  WiderCases(Operation operation, CollExecutorBase<?> executor) {
    this.operation = operation;
    this.options = ParameterValues.of(executor);
  }

  /**
   * Some of the cases in which all conditions hold, in random order.
   *
   * @param most the largest number of cases
   * @param isSupported whether the algorithm accepts a case
   */
  List<CollectiveCase> meeting(
      List<Condition> conditions, int most, Predicate<CollectiveCase> isSupported, Random random) {
    List<CollectiveCase> found = new ArrayList<>();
    Set<String> hopeless = new HashSet<>();
    int refused = 0;
    List<CollectiveCase> manners = manners(conditions);
    Collections.shuffle(manners, random);
    for (CollectiveCase manner : manners) {
      // Conditions on groups, counts and roots depend on nothing else of a case.
      String sizes = manner.comm().mode().label() + manner.dataType().size();
      if (hopeless.contains(sizes)) {
        continue;
      }
      int alike = 0;
      boolean holds = false;
      List<CollectiveCase> cases = sizes(manner);
      Collections.shuffle(cases, random);
      for (CollectiveCase c : cases) {
        if (alike == MOST_ALIKE || found.size() == most || refused == MOST_REFUSED) {
          break;
        }
        if (conditions.stream().allMatch(condition -> condition.holdsIn(c))) {
          holds = true;
          if (isSupported.test(c)) {
            found.add(c);
            alike++;
          } else {
            refused++;
          }
        }
      }
      if (!holds) {
        hopeless.add(sizes);
      }
    }
    return found;
  }

  /** One case for each matching type, reduction, protocol, mode, place and set of parameters. */
  private List<CollectiveCase> manners(List<Condition> conditions) {
    List<Condition> ofManner =
        conditions.stream().filter(condition -> !condition.axis().isOfSize()).toList();
    List<CollectiveCase> manners = new ArrayList<>();
    CollectiveCase any =
        CollectiveCase.of(operation, Topology.flat(2))
            .withCclBufferSize(Matrix.SMALL_CCL_BUFFER_SIZE);
    for (WorkflowMode mode : WorkflowMode.values()) {
      for (Protocol protocol : Protocol.values()) {
        for (AlgOptions values : options) {
          for (CollectiveCase typed :
              typed(any.withMode(mode).withProtocol(protocol).withOptions(values))) {
            if (ofManner.stream().allMatch(condition -> condition.holdsIn(typed))) {
              manners.add(typed);
            }
          }
        }
      }
    }
    return manners;
  }

  private List<CollectiveCase> typed(CollectiveCase c) {
    List<CollectiveCase> typed = new ArrayList<>();
    for (DataType type : DataType.values()) {
      for (ReduceOp op : ReduceOp.values()) {
        boolean isFirst = op == ReduceOp.SUM;
        if (op.supports(type) && (isFirst || Traits.reduces(operation))) {
          typed.add(c.withReduction(type, op));
          if (Traits.canBeInPlace(operation)) {
            typed.add(c.withReduction(type, op).withInPlace(true));
          }
        }
      }
      if (!Traits.hasData(operation)) {
        break;
      }
    }
    return typed;
  }

  private List<CollectiveCase> sizes(CollectiveCase manner) {
    List<CollectiveCase> cases = new ArrayList<>();
    for (Topology group : GROUPS) {
      int ranks = group.rankSize();
      if (ranks == 1 && Traits.isTransfer(operation)) {
        continue;
      }
      CommInfo comm =
          CommInfo.of(0, group)
              .withMode(manner.comm().mode())
              .withProtocol(manner.comm().protocol())
              .withCclBufferSize(Matrix.SMALL_CCL_BUFFER_SIZE);
      boolean hasRoot = Traits.hasRoot(operation) || Traits.isTransfer(operation);
      for (int root = 0; root < (hasRoot ? ranks : 1); root++) {
        CollectiveCase rooted = manner.withComm(comm).withRoot(root);
        counts(rooted).forEach(count -> cases.add(rooted.withCount(count)));
      }
    }
    return cases;
  }

  private LongStream counts(CollectiveCase c) {
    if (!Traits.hasData(operation)) {
      return LongStream.of(0);
    }
    long ranks = c.comm().rankSize();
    long buffer = c.comm().cclBufferSize() / c.dataType().size();
    long round = c.countPerRound();
    return LongStream.of(
            0,
            1,
            2,
            3,
            ranks - 1,
            ranks,
            ranks + 1,
            2 * ranks,
            60,
            97,
            round - 1,
            round,
            round + 1,
            (round - 1) / 2,
            round / 2,
            (round + 1) / 2,
            buffer - 1,
            buffer,
            buffer + 1,
            2 * buffer,
            3 * buffer + 5,
            (2 * buffer / ranks + 1) * ranks)
        .distinct();
  }
}
