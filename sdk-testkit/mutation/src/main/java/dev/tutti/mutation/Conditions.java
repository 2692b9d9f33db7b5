package dev.tutti.mutation;

import dev.tutti.mutation.Condition.Axis;
import dev.tutti.sdk.AlgParameter;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.matrix.CollectiveCase;
import dev.tutti.verifier.matrix.Traits;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** The conditions under which authors make mistakes in an algorithm, by axis. */
final class Conditions {

  /** The condition under which a mistake may be in only one of several rounds. */
  static final String SEVERAL_ROUNDS = "several rounds";

  private final Map<Axis, List<Condition>> byAxis = new EnumMap<>(Axis.class);

  private Conditions() {}

  /** The conditions that an operation and an algorithm's parameters allow. */
  static Map<Axis, List<Condition>> of(Operation operation, CollExecutorBase<?> executor) {
    Conditions conditions = new Conditions();
    conditions.addExecution(operation);
    conditions.addRanks();
    if (Traits.hasData(operation)) {
      conditions.addCounts();
      conditions.addTypes();
    }
    if (Traits.hasRoot(operation) || Traits.isTransfer(operation)) {
      conditions.addRoots();
    }
    if (Traits.reduces(operation)) {
      for (ReduceOp op : ReduceOp.values()) {
        conditions.add(Axis.REDUCTION, "reduction " + op.label(), c -> c.reduceOp() == op);
      }
    }
    executor.parameters().forEach(conditions::addValues);
    return conditions.byAxis;
  }

  private void add(Axis axis, String text, Predicate<CollectiveCase> test) {
    byAxis.computeIfAbsent(axis, key -> new ArrayList<>()).add(new Condition(axis, text, test));
  }

  private <T> void addValues(AlgParameter<T> parameter) {
    for (String value : ParameterValues.of(parameter)) {
      T parsed = parameter.parse(value);
      add(
          Axis.PARAMETER,
          "parameter " + parameter.name() + " " + value,
          c -> parameter.in(c.options()).equals(parsed));
    }
  }

  private void addExecution(Operation operation) {
    for (WorkflowMode mode : WorkflowMode.values()) {
      add(Axis.MODE, "mode " + mode.label(), c -> c.comm().mode() == mode);
    }
    for (Protocol protocol : Protocol.values()) {
      add(Axis.PROTOCOL, "protocol " + protocol.label(), c -> c.comm().protocol() == protocol);
    }
    if (Traits.canBeInPlace(operation)) {
      add(Axis.PLACE, "in place", CollectiveCase::inPlace);
      add(Axis.PLACE, "own buffers", c -> !c.inPlace());
    }
    if (Traits.hasData(operation)) {
      add(Axis.ROUNDS, "one round of OP_BASE", c -> c.rounds() == 1);
      add(Axis.ROUNDS, SEVERAL_ROUNDS, c -> c.rounds() > 1);
      add(Axis.ROUNDS, "three rounds or more", c -> c.rounds() > 2);
    }
  }

  private void addRanks() {
    addRanks("number of ranks a power of two", ranks -> Integer.bitCount(ranks) == 1);
    addRanks("number of ranks not a power of two", ranks -> Integer.bitCount(ranks) > 1);
    addRanks("ranks prime", Conditions::isPrime);
    addRanks("number of ranks odd", ranks -> ranks % 2 == 1);
    addRanks("number of ranks even", ranks -> ranks % 2 == 0);
    addRanks("more than 4 ranks", ranks -> ranks > 4);
    addRanks("more than 8 ranks", ranks -> ranks > 8);
    for (int number : new int[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16}) {
      addRanks(number == 1 ? "1 rank" : number + " ranks", ranks -> ranks == number);
    }
    add(Axis.RANKS, "several nodes", c -> c.topology().nodeCount() > 1);
    add(Axis.RANKS, "uneven nodes", c -> !c.topology().isUniform());
    add(Axis.RANKS, "several pods", c -> c.topology().podCount() > 1);
  }

  private void addRanks(String text, Predicate<Integer> test) {
    add(Axis.RANKS, text, c -> test.test(ranks(c)));
  }

  private static int ranks(CollectiveCase c) {
    return c.topology().rankSize();
  }

  private static boolean isPrime(int number) {
    return BigInteger.valueOf(number).isProbablePrime(100);
  }

  private void addCounts() {
    add(Axis.COUNT, "count 0", c -> c.count() == 0);
    add(Axis.COUNT, "count 1", c -> c.count() == 1);
    add(Axis.COUNT, "count below the number of ranks", c -> c.count() > 0 && c.count() < ranks(c));
    add(Axis.COUNT, "count odd", c -> c.count() % 2 == 1);
    add(Axis.COUNT, "count a multiple of the number of ranks", c -> isShared(c) && c.count() > 0);
    add(Axis.COUNT, "count not a multiple of the number of ranks", c -> !isShared(c));
    add(Axis.COUNT, "count one below a full round", c -> beyondRound(c) == -1);
    add(Axis.COUNT, "count that fills a round", c -> beyondRound(c) == 0);
    add(Axis.COUNT, "count one above a full round", c -> beyondRound(c) == 1);
    add(Axis.COUNT, "message within the CCL buffer", c -> c.count() > 0 && bytes(c) <= buffer(c));
    add(Axis.COUNT, "message beyond the CCL buffer", c -> bytes(c) > buffer(c));
  }

  private static boolean isShared(CollectiveCase c) {
    return c.count() % ranks(c) == 0;
  }

  private static long buffer(CollectiveCase c) {
    return c.comm().cclBufferSize();
  }

  private static long bytes(CollectiveCase c) {
    return c.params().stream()
        .filter(Objects::nonNull)
        .mapToLong(OpParam::messageBytes)
        .max()
        .orElse(0);
  }

  /** The excess of a count over the elements of one round; far from 0 in GRAPH mode. */
  private static long beyondRound(CollectiveCase c) {
    return c.comm().mode() == WorkflowMode.GRAPH || c.count() == 0
        ? Long.MIN_VALUE
        : c.longestBlock() - c.countPerRound();
  }

  private void addTypes() {
    for (DataType type : DataType.values()) {
      add(Axis.TYPE, "type " + type.label(), c -> c.dataType() == type);
    }
    IntStream.of(1, 2, 4, 8)
        .forEach(bytes -> add(Axis.TYPE, "types of " + bytes, c -> c.dataType().size() == bytes));
  }

  private void addRoots() {
    add(Axis.ROOT, "root 0", c -> c.root() == 0);
    add(Axis.ROOT, "root not 0", c -> c.root() > 0);
    add(Axis.ROOT, "root 1", c -> c.root() == 1);
    add(Axis.ROOT, "root odd", c -> c.root() % 2 == 1);
    add(Axis.ROOT, "root even, but not 0", c -> c.root() % 2 == 0 && c.root() > 0);
    add(Axis.ROOT, "root is the last rank", c -> c.root() > 0 && c.root() == ranks(c) - 1);
    add(Axis.ROOT, "root in the middle", c -> c.root() > 0 && c.root() < ranks(c) - 1);
    add(
        Axis.ROOT,
        "root at or above the largest power of two",
        c -> c.root() > 0 && c.root() >= Integer.highestOneBit(ranks(c) - 1));
    add(Axis.ROOT, "root on another node than rank 0", Conditions::isRootAway);
  }

  private static boolean isRootAway(CollectiveCase c) {
    Topology topology = c.topology();
    return topology.nodeOf(c.root()) != topology.nodeOf(0);
  }
}
