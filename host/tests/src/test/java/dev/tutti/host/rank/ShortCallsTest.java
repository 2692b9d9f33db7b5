package dev.tutti.host.rank;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.base.idle.Waiting;
import dev.tutti.host.Context;
import dev.tutti.host.Group;
import dev.tutti.host.RankHandle;
import dev.tutti.host.SampleAlgorithms;
import dev.tutti.host.job.OneJvmJob;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.ReduceOp;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A repeated call of few bytes, for which the ranks show each other their inputs, gives the same
 * bits as a call with new buffers, for which they run their lists.
 */
class ShortCallsTest {

  private static final int ROUNDS = 3;
  private static final int MORE_THAN_A_LINE = 28;
  private static final int MANY = 150;

  private static final Set<Operation> SHORT =
      EnumSet.complementOf(EnumSet.of(Operation.ALL_TO_ALL_V));

  /** The two ranks of a transfer have no rooms. */
  private static final Set<Operation> SHORT_IN_ROOMS =
      EnumSet.complementOf(EnumSet.of(Operation.ALL_TO_ALL_V, Operation.SEND, Operation.RECEIVE));

  private record Case(Operation operation, DataType type, int count, boolean inPlace) {

    boolean isInPlaceInRooms() {
      return inPlace && count == MANY;
    }

    long bytes(boolean isOfAll, int ranks) {
      return (long) count * type.size() * (isOfAll ? ranks : 1);
    }

    long inputBytes(int ranks) {
      boolean isOfAll =
          switch (operation) {
            case REDUCE_SCATTER, SCATTER, ALL_TO_ALL -> true;
            default -> false;
          };
      return bytes(isOfAll, ranks);
    }

    long outputBytes(int ranks) {
      boolean isOfAll =
          switch (operation) {
            case ALL_GATHER, GATHER, ALL_TO_ALL -> true;
            default -> false;
          };
      return bytes(isOfAll, ranks);
    }
  }

  private static List<Case> cases() {
    List<Case> cases = new ArrayList<>();
    for (Operation operation : EnumSet.complementOf(EnumSet.of(Operation.ALL_TO_ALL_V))) {
      for (DataType type : List.of(DataType.INT8, DataType.FLOAT32)) {
        for (int count : new int[] {1, 3, MORE_THAN_A_LINE / type.size()}) {
          cases.add(new Case(operation, type, count, false));
        }
      }
      cases.add(new Case(operation, DataType.FLOAT32, MANY, false));
      if (operation == Operation.ALL_REDUCE || operation == Operation.SCAN) {
        cases.add(new Case(operation, DataType.FLOAT32, 2, true));
        cases.add(new Case(operation, DataType.FLOAT32, MANY, true));
      }
    }
    return cases;
  }

  /** The memory of one rank for one call. */
  private record Buffers(MemorySegment input, MemorySegment output) {

    static Buffers of(Context context, Case each, int ranks) {
      MemorySegment input = context.allocate(each.inputBytes(ranks)).segment();
      return new Buffers(
          input, each.inPlace() ? input : context.allocate(each.outputBytes(ranks)).segment());
    }

    /** Puts the same data into memory of the same rank, whatever the memory is. */
    void fill(Case each, long seed) {
      Random random = new Random(seed);
      output.fill((byte) 0);
      for (long at = 0; at < input.byteSize(); at += each.type().size()) {
        int value = random.nextInt(4);
        switch (each.type()) {
          case FLOAT32 -> input.set(ValueLayout.JAVA_FLOAT, at, value);
          default -> input.set(ValueLayout.JAVA_BYTE, at, (byte) value);
        }
      }
    }
  }

  /** Plays all cases, and compares the bits; gives the cases that were short. */
  private static Set<Case> play(Context context, RankHandle rank)
      throws ReflectiveOperationException {
    Set<Case> areShort = new HashSet<>();
    int ranks = rank.rankSize();
    for (Case each : cases()) {
      Buffers known = Buffers.of(context, each, ranks);
      for (int round = 0; round < ROUNDS; round++) {
        long seed = 31L * rank.rank() + round;
        Buffers fresh = Buffers.of(context, each, ranks);
        known.fill(each, seed);
        fresh.fill(each, seed);
        call(rank, each, known);
        boolean takesPart = !isTransfer(each.operation()) || rank.rank() < 2;
        if (takesPart && RankAccess.isLastShort(rank)) {
          areShort.add(each);
        }
        call(rank, each, fresh);
        assertThat(known.output().mismatch(fresh.output()))
            .as("%s, round %d, rank %d", each, round, rank.rank())
            .isEqualTo(-1);
      }
    }
    return areShort;
  }

  private static void call(RankHandle rank, Case each, Buffers buffers) {
    DataType type = each.type();
    MemorySegment in = buffers.input();
    MemorySegment out = buffers.output();
    boolean isRoot = rank.rank() == 1;
    @Nullable MemorySegment rootOut = isRoot ? out : null;
    switch (each.operation()) {
      case ALL_REDUCE -> rank.allReduce(in, out, type, ReduceOp.SUM);
      case REDUCE -> rank.reduce(in, rootOut, type, ReduceOp.SUM, 1);
      case REDUCE_SCATTER -> rank.reduceScatter(in, out, type, ReduceOp.SUM);
      case SCAN -> rank.scan(in, out, type, ReduceOp.SUM);
      case EXCLUSIVE_SCAN -> rank.exclusiveScan(in, out, type, ReduceOp.SUM);
      case BROADCAST -> rank.broadcast(isRoot ? in : out, type, 1);
      case ALL_GATHER -> rank.allGather(in, out, type);
      case GATHER -> rank.gather(in, rootOut, type, 1);
      case SCATTER -> rank.scatter(isRoot ? in : null, out, type, 1);
      case ALL_TO_ALL -> rank.allToAll(in, out, type);
      case BARRIER -> rank.barrier();
      case SEND -> transfer(rank, 0, 1, in, out, type);
      default -> transfer(rank, 1, 0, in, out, type);
    }
  }

  private static boolean isTransfer(Operation operation) {
    return operation == Operation.SEND || operation == Operation.RECEIVE;
  }

  private static void transfer(
      RankHandle rank, int from, int to, MemorySegment in, MemorySegment out, DataType type) {
    if (rank.rank() == from) {
      rank.send(in, type, to);
    } else if (rank.rank() == to) {
      rank.receive(out, type, from);
    }
  }

  private static Set<Operation> operations(Collection<Set<Case>> ofRanks, int least) {
    return ofRanks.stream()
        .flatMap(Set::stream)
        .filter(each -> each.count() >= least)
        .map(Case::operation)
        .collect(Collectors.toSet());
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 8})
  void threadsGetTheBitsOfTheLists(int ranks) {
    try (Context context = SampleAlgorithms.context();
        Group group = context.createGroup(ranks)) {
      Map<Integer, Set<Case>> areShort = new ConcurrentHashMap<>();
      group.run(
          rank -> {
            try {
              areShort.put(rank.rank(), play(context, rank));
            } catch (ReflectiveOperationException e) {
              throw new AssertionError(e);
            }
          });
      assertThat(operations(areShort.values(), 1)).containsAll(SHORT);
      assertThat(operations(areShort.values(), MANY)).containsOnly(Operation.BARRIER);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = 3)
  void ranksWithAContextEachGetTheBitsOfTheLists(int ranks) throws Exception {
    List<Set<Case>> areShort = OneJvmJob.inGroup(ranks, ShortCallsTest::play);
    assertThat(operations(areShort, 1)).containsAll(SHORT);
    if (Waiting.system().hasFreeCore(ranks)) {
      assertThat(operations(areShort, MANY)).containsOnly(Operation.BARRIER);
    } else {
      assertThat(operations(areShort, MANY)).containsAll(SHORT_IN_ROOMS);
      assertThat(areShort).allSatisfy(each -> assertThat(each).anyMatch(Case::isInPlaceInRooms));
    }
  }
}
