package dev.tutti.verifier.matrix;

import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Searches for supported cases if an algorithm refuses almost all cases of a matrix: the algorithm
 * may be meant for many ranks, other nodes, long vectors or one type. It first searches for one
 * supported case, then tries each axis around that case.
 */
final class WiderMatrix {

  /** Groups beyond the standard ones, small ones first. */
  private static final List<String> GROUPS =
      List.of(
          "2+2",
          "10",
          "11",
          "3+3",
          "2+2|2+2",
          "4+4",
          "14",
          "15",
          "4+4+4",
          "4+4+4+4",
          "4+4|4+4",
          "8+8",
          "17",
          "18",
          "20",
          "24",
          "8+8+8",
          "31",
          "32",
          "8+8+8+8",
          "8+8|8+8",
          "33",
          "48",
          "63",
          "64",
          "16+16+16+16");

  /** The number of supported groups that is enough. */
  private static final int MOST_GROUPS = 8;

  private final Matrix matrix;
  private final Predicate<? super CollectiveCase> isTaken;
  private final List<Topology> groups = new ArrayList<>();
  private final List<Matrix.Count> counts = new ArrayList<>();

  private WiderMatrix(Matrix matrix, Predicate<? super CollectiveCase> isTaken) {
    this.matrix = matrix;
    this.isTaken = isTaken;
    groups.addAll(matrix.topologies());
    for (String text : GROUPS) {
      Topology group = Topology.parse(text);
      if (!groups.contains(group)) {
        groups.add(group);
      }
    }
    counts.addAll(matrix.counts());
    if (Traits.hasData(matrix.operation())) {
      counts.add((comm, type) -> 64L * comm.rankSize());
      counts.add((comm, type) -> 1024L * comm.rankSize());
      counts.add((comm, type) -> 1024L * comm.rankSize() + 1);
      counts.add(Matrix.Count.of(1 << 12));
      counts.add(Matrix.Count.of(1 << 16));
      counts.add(Matrix.Count.of(1 << 20));
    }
  }

  /** The matrix of the supported values; empty if none were found. */
  static Optional<Matrix> of(Matrix matrix, Predicate<? super CollectiveCase> isTaken) {
    WiderMatrix wider = new WiderMatrix(matrix, isTaken);
    return wider.first().map(wider::around);
  }

  /** One value of each axis. */
  private record Point(
      Topology group,
      Matrix.Count count,
      Matrix.Reduction reduction,
      Protocol protocol,
      WorkflowMode mode) {}

  private Optional<Point> first() {
    for (Topology group : groups) {
      for (Protocol protocol : matrix.protocols()) {
        for (WorkflowMode mode : matrix.modes()) {
          for (Matrix.Reduction reduction : matrix.reductions()) {
            for (Matrix.Count count : counts) {
              Point point = new Point(group, count, reduction, protocol, mode);
              if (takes(point)) {
                return Optional.of(point);
              }
            }
          }
        }
      }
    }
    return Optional.empty();
  }

  private Matrix around(Point base) {
    List<Topology> taken =
        taken(
            groups,
            group -> new Point(group, base.count, base.reduction, base.protocol, base.mode));
    return matrix
        .withTopologies(taken.subList(0, Math.min(MOST_GROUPS, taken.size())))
        .withCounts(
            taken(
                counts,
                count -> new Point(base.group, count, base.reduction, base.protocol, base.mode)))
        .withReductions(
            taken(
                matrix.reductions(),
                each -> new Point(base.group, base.count, each, base.protocol, base.mode)))
        .withProtocols(
            taken(
                matrix.protocols(),
                each -> new Point(base.group, base.count, base.reduction, each, base.mode)))
        .withModes(
            taken(
                matrix.modes(),
                each -> new Point(base.group, base.count, base.reduction, base.protocol, each)));
  }

  private <T> List<T> taken(List<T> values, Function<T, Point> point) {
    return values.stream().filter(value -> takes(point.apply(value))).toList();
  }

  private boolean takes(Point point) {
    CollectiveCase c = CollectiveCase.of(matrix.operation(), point.group);
    c = c.withProtocol(point.protocol).withMode(point.mode);
    if (Traits.reduces(matrix.operation())) {
      c = c.withReduction(point.reduction.type(), point.reduction.op());
    } else if (Traits.hasData(matrix.operation())) {
      c = c.withDataType(point.reduction.type());
    }
    return isTaken.test(c.withCount(point.count.in(c.comm(), point.reduction.type())));
  }
}
