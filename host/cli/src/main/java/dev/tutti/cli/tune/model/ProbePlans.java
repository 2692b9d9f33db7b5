package dev.tutti.cli.tune.model;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PartOrder;
import dev.tutti.plan.RankPlan;
import dev.tutti.plan.RankPlanBuilder;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.TransportMemType;
import java.util.ArrayList;
import java.util.List;

/**
 * Plans that each repeat one pattern of actions. Ranks read from each other, as in real plans, and
 * write memory that no other rank touches. All sizes are bytes.
 */
final class ProbePlans {

  private static final DataType TYPE = DataType.FLOAT32;

  /** Short spans are this far apart, so that the compiler cannot merge them. */
  private static final long LINE = 64;

  private ProbePlans() {}

  /** One action, or a few related ones, at one place of one rank. */
  @FunctionalInterface
  private interface Pattern {
    void emit(RankPlanBuilder builder, int rank, long offset);
  }

  /** The actions of a rank with spans that are at the same place on all ranks. */
  @FunctionalInterface
  private interface SpanPattern {
    void emit(
        RankPlanBuilder builder, DeviceMem output, DeviceMem neighbours, List<DeviceMem> inputs);
  }

  /** Each rank copies spans of its neighbour's input. */
  static GroupPlan copies(int ranks, int repeats, long bytes) {
    return spans(
        ranks,
        repeats,
        bytes,
        (builder, output, neighbours, inputs) -> builder.copy(0, output, neighbours));
  }

  /** Each rank adds spans of its neighbour's input to its output. */
  static GroupPlan sums(int ranks, int repeats, long bytes) {
    return spans(
        ranks,
        repeats,
        bytes,
        (builder, output, neighbours, inputs) ->
            builder.reduce(0, output, neighbours, TYPE, ReduceOp.SUM));
  }

  /** Each rank adds up spans of all inputs. */
  static GroupPlan fusedSums(int ranks, int repeats, long bytes) {
    return spans(
        ranks,
        repeats,
        bytes,
        (builder, output, neighbours, inputs) ->
            builder.reduceFrom(0, output, inputs, TYPE, ReduceOp.SUM));
  }

  private static GroupPlan spans(int ranks, int repeats, long bytes, SpanPattern pattern) {
    return plan(
        ranks,
        repeats,
        bytes,
        (builder, rank, offset) -> {
          List<DeviceMem> inputs = inputs(ranks, offset, bytes);
          DeviceMem output = new DeviceMem(rank, TransportMemType.PARAM_OUTPUT, offset, bytes);
          pattern.emit(builder, output, inputs.get((rank + 1) % ranks), inputs);
        });
  }

  /** Each rank adds up its part of all inputs. */
  static GroupPlan partSums(int ranks, long partBytes) {
    return partSums(ranks, partBytes, TransportMemType.PARAM_OUTPUT, false);
  }

  /** Each rank adds up its part of all inputs, and copies the result to the others. */
  static GroupPlan pushedSums(int ranks, long partBytes) {
    return partSums(ranks, partBytes, TransportMemType.PARAM_OUTPUT, true);
  }

  /** As {@link #pushedSums}, but the results replace the inputs. */
  static GroupPlan pushedSumsInPlace(int ranks, long partBytes) {
    return partSums(ranks, partBytes, TransportMemType.PARAM_INPUT, true);
  }

  private static GroupPlan partSums(
      int ranks, long partBytes, TransportMemType results, boolean isPushed) {
    return plan(
        ranks,
        1,
        ranks * partBytes,
        (builder, rank, offset) -> {
          long part = rank * partBytes;
          DeviceMem sum = new DeviceMem(rank, results, part, partBytes);
          builder.reduceFrom(0, sum, inputs(ranks, part, partBytes), TYPE, ReduceOp.SUM);
          for (int distance = 1; distance < ranks && isPushed; distance++) {
            int peer = (rank + distance) % ranks;
            builder.copy(0, new DeviceMem(peer, results, part, partBytes), sum);
          }
        });
  }

  /**
   * Two ranks copy in lockstep: neither begins a round before the other has ended the previous one.
   */
  static GroupPlan turns(int rounds, long bytes) {
    List<GroupPlan> parts = new ArrayList<>();
    List<PartOrder> orders = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      parts.add(copies(2, 1, bytes));
      for (int rank = 0; rank < 2 && round > 0; rank++) {
        orders.add(new PartOrder(1 - rank, round - 1, rank, round));
      }
    }
    return GroupPlan.sequence("turns", parts, orders);
  }

  /**
   * In each round, one rank copies, and the other then copies the result; the two swap every round.
   */
  static GroupPlan relays(int rounds, long bytes) {
    List<GroupPlan> parts = new ArrayList<>();
    List<PartOrder> orders = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      int writer = round % 2;
      long half = writer * bytes;
      DeviceMem source = new DeviceMem(writer, TransportMemType.PARAM_INPUT, half, bytes);
      DeviceMem relay = new DeviceMem(writer, TransportMemType.PARAM_OUTPUT, half, bytes);
      DeviceMem end = new DeviceMem(1 - writer, TransportMemType.PARAM_OUTPUT, half, bytes);
      parts.add(single(writer, relay, source, 2 * bytes));
      parts.add(single(1 - writer, end, relay, 2 * bytes));
      orders.add(new PartOrder(writer, 2 * round, 1 - writer, 2 * round + 1));
    }
    return GroupPlan.sequence("relays", parts, orders);
  }

  /** Only one of two ranks copies. */
  private static GroupPlan single(int rank, DeviceMem dst, DeviceMem src, long size) {
    List<RankPlan> plans = new ArrayList<>();
    for (int each = 0; each < 2; each++) {
      RankPlanBuilder builder =
          new RankPlanBuilder(each)
              .memSize(TransportMemType.PARAM_INPUT, size)
              .memSize(TransportMemType.PARAM_OUTPUT, size);
      plans.add((each == rank ? builder.copy(0, dst, src) : builder).build());
    }
    return new GroupPlan("probe", false, plans);
  }

  private static GroupPlan plan(int ranks, int repeats, long bytes, Pattern pattern) {
    long stride = Math.max(bytes, LINE);
    List<RankPlan> plans = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      RankPlanBuilder builder =
          new RankPlanBuilder(rank)
              .memSize(TransportMemType.PARAM_INPUT, repeats * stride)
              .memSize(TransportMemType.PARAM_OUTPUT, repeats * stride);
      for (int repeat = 0; repeat < repeats; repeat++) {
        pattern.emit(builder, rank, repeat * stride);
      }
      plans.add(builder.build());
    }
    return new GroupPlan("probe", false, plans);
  }

  private static List<DeviceMem> inputs(int ranks, long offset, long bytes) {
    List<DeviceMem> inputs = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      inputs.add(new DeviceMem(rank, TransportMemType.PARAM_INPUT, offset, bytes));
    }
    return inputs;
  }
}
