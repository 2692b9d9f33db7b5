package dev.tutti.verifier.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.AlgParameter;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.matrix.Coverage.Combinations;
import dev.tutti.verifier.semantics.OperationSemantics;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class MatrixTest {

  private static final List<AlgParameter<?>> PARAMETERS =
      List.of(
          AlgParameter.integer("segment-bytes", "bytes of a step", 0, 0, 1 << 30),
          AlgParameter.choice("stages", "how many", "auto", List.of("auto", "one", "two")));

  /** The standard matrices, the chosen cases and their coverage; computed once for all tests. */
  private static final Map<Operation, Matrix> STANDARD =
      Stream.of(Operation.values())
          .collect(Collectors.toMap(operation -> operation, Matrix::standard));

  private static final Map<Matrix, List<CollectiveCase>> CASES = new HashMap<>();
  private static final Map<Matrix, Coverage> COVERAGE = new HashMap<>();

  private static List<CollectiveCase> cases(Matrix matrix) {
    return CASES.computeIfAbsent(matrix, MatrixCases::covering);
  }

  private static Coverage coverage(Matrix matrix) {
    return COVERAGE.computeIfAbsent(matrix, each -> Coverage.of(each, cases(each)));
  }

  private static Matrix standard(Operation operation) {
    return Objects.requireNonNull(STANDARD.get(operation));
  }

  static Stream<Matrix> standard() {
    return Stream.of(Operation.values())
        .map(MatrixTest::standard)
        .flatMap(matrix -> Stream.of(matrix, matrix.withParameters(PARAMETERS)));
  }

  @ParameterizedTest
  @MethodSource("standard")
  void standardCasesVisitEveryPairAndTriple(Matrix matrix) {
    Coverage coverage = coverage(matrix);

    for (Combinations each : all(coverage)) {
      assertThat(each.thinnest(1))
          .as(each.factors())
          .allSatisfy((what, visits) -> assertThat(visits).as(what).isPositive());
    }
  }

  private static List<Combinations> all(Coverage coverage) {
    List<Combinations> all = new ArrayList<>(coverage.pairs());
    all.addAll(coverage.triples());
    return all;
  }

  @ParameterizedTest
  @MethodSource("standard")
  void standardCasesAreSpreadEvenly(Matrix matrix) {
    Coverage coverage = coverage(matrix);

    assertThat(coverage.withoutData()).isLessThanOrEqualTo(coverage.cases() / 10);
    assertThat(coverage.cases()).isLessThanOrEqualTo(270);
    for (Combinations each : coverage.shares()) {
      // Small groups and counts may have more cases; half of the cases have no parameter.
      int fewest = coverage.cases() / (2 * each.possible());
      Set<String> even = Set.of("mode × protocol", "type", "reduction", "root", "stages");
      if (even.contains(each.factors())) {
        assertThat(each.fewest())
            .as("%s of %s", each, matrix.operation())
            .isGreaterThanOrEqualTo(fewest * 3 / 5);
        assertThat(Collections.max(each.visits().values()))
            .as("%s of %s", each, matrix.operation())
            .isLessThanOrEqualTo(6 * Math.max(1, fewest));
      }
    }
  }

  /** Only a request that fills every slice needs all that is requested, so only it is judged. */
  @ParameterizedTest
  @EnumSource(Operation.class)
  void everyGroupHasRequestsThatFillEverySlice(Operation operation) {
    for (Topology topology : standard(operation).topologies()) {
      List<CollectiveCase> ofGroup =
          cases(standard(operation)).stream().filter(c -> c.topology().equals(topology)).toList();
      for (WorkflowMode mode : WorkflowMode.values()) {
        assertThat(ofGroup)
            .as("%s of %s, %s", operation, topology, mode)
            .anyMatch(c -> c.comm().mode() == mode && fillsEverySlice(c));
      }
      if (Traits.isVForm(operation) && topology.rankSize() > 2) {
        assertThat(ofGroup)
            .as("%s of %s", operation, topology)
            .anyMatch(c -> c.count() > 0 && !fillsEverySlice(c));
      }
    }
  }

  private static boolean fillsEverySlice(CollectiveCase c) {
    return c.params().stream()
        .filter(Objects::nonNull)
        .allMatch(OperationSemantics::fillsEverySlice);
  }

  @ParameterizedTest
  @EnumSource(Operation.class)
  void everyGroupTakesSeveralRoundsOverBothProtocols(Operation operation) {
    Matrix matrix = standard(operation);
    if (!Traits.hasData(operation)) {
      return;
    }
    Map<String, Set<Protocol>> protocols =
        cases(matrix).stream()
            .filter(c -> c.comm().mode() == WorkflowMode.OP_BASE && c.count() > 0)
            .filter(c -> c.longestBlock() > c.countPerRound())
            .collect(
                Collectors.groupingBy(
                    c -> c.topology().toString(),
                    Collectors.mapping(c -> c.comm().protocol(), Collectors.toSet())));

    for (Topology topology : matrix.topologies()) {
      assertThat(protocols.get(topology.toString()))
          .as(topology.toString())
          .containsExactlyInAnyOrder(Protocol.values());
    }
  }

  @ParameterizedTest
  @EnumSource(Operation.class)
  void noPlanIsLongBecauseOfItsRounds(Operation operation) {
    for (CollectiveCase c : cases(standard(operation))) {
      if (c.count() > 0 && c.comm().mode() == WorkflowMode.OP_BASE) {
        assertThat(Math.ceilDiv(c.longestBlock(), c.countPerRound()))
            .as(c.toString())
            .isLessThanOrEqualTo(Rounds.MOST_RANKS_WITH_FOUR / 2);
      }
    }
  }

  @Test
  void aThinnedSetOfCasesIsSeenToBeThin() {
    Matrix matrix = standard(Operation.ALL_REDUCE);
    List<CollectiveCase> thinned =
        cases(matrix).stream()
            .filter(
                c ->
                    c.comm().mode() == WorkflowMode.GRAPH
                        || c.comm().protocol() == Protocol.RDMA
                        || c.topology().rankSize() != 16)
            .toList();

    Combinations triple =
        Coverage.of(matrix, thinned).triples().stream()
            .filter(each -> each.factors().equals("filling × protocol × group"))
            .findFirst()
            .orElseThrow();

    assertThat(triple.possible() - triple.visited()).isEqualTo(6);
    assertThat(triple.thinnest(6))
        .containsEntry("op-base one round × direct × 16", 0)
        .containsEntry("op-base three rounds or more × direct × 16", 0);
  }

  @Test
  void anAlgorithmThatTakesLittleIsVisitedAsEvenlyInWhatItTakes() {
    Matrix matrix = standard(Operation.ALL_REDUCE);
    Predicate<CollectiveCase> takes =
        c ->
            c.comm().mode() == WorkflowMode.GRAPH
                && c.comm().protocol() == Protocol.DIRECT
                && c.topology().rankSize() > 8;

    List<CollectiveCase> cases = MatrixCases.covering(matrix, takes);

    assertThat(cases)
        .containsAll(cases(matrix).stream().filter(takes.negate()).toList())
        .doesNotHaveDuplicates();
    List<CollectiveCase> taken = cases.stream().filter(takes).toList();
    assertThat(taken).hasSizeGreaterThan(2 * cases(matrix).stream().filter(takes).toList().size());
    Matrix narrow =
        matrix
            .withModes(List.of(WorkflowMode.GRAPH))
            .withProtocols(List.of(Protocol.DIRECT))
            .withTopologies(
                matrix.topologies().stream().filter(each -> each.rankSize() > 8).toList());
    for (Combinations each : all(Coverage.of(narrow, taken))) {
      assertThat(each.thinnest(1))
          .as(each.factors())
          .allSatisfy((what, visits) -> assertThat(visits).as(what).isPositive());
    }
    assertThat(MatrixCases.covering(matrix, c -> c.count() > 0)).isEqualTo(cases(matrix));
    assertThat(MatrixCases.covering(matrix, c -> false)).isEqualTo(cases(matrix));
  }

  @Test
  void eachCaseNamesItsParametersAndIsMadeAgainFromItsToken() {
    List<CollectiveCase> cases =
        MatrixCases.covering(Matrix.standard(Operation.BROADCAST).withParameters(PARAMETERS));

    assertThat(cases).allSatisfy(c -> assertThat(CollectiveCase.parse(c.token())).isEqualTo(c));
    assertThat(cases).anySatisfy(c -> assertThat(c.options()).isEqualTo(AlgOptions.none()));
    assertThat(cases)
        .anySatisfy(
            c ->
                assertThat(c.token()).contains("param.segment-bytes=1;").contains("param.stages="));
    assertThat(cases).allSatisfy(c -> c.options().check(PARAMETERS));
  }

  @Test
  void aParameterThatIsFixedIsNotVaried() {
    List<CollectiveCase> cases =
        MatrixCases.covering(
            Matrix.standard(Operation.BROADCAST)
                .withParameters(PARAMETERS, AlgOptions.none().with("stages", "two")));

    assertThat(cases)
        .allSatisfy(c -> assertThat(c.options().values()).containsEntry("stages", "two"));
    assertThat(cases)
        .anySatisfy(c -> assertThat(c.options().values()).containsKey("segment-bytes"));
  }

  @Test
  void casesAreTheSameEachTime() {
    assertThat(MatrixCases.covering(Matrix.standard(Operation.SCATTER).withParameters(PARAMETERS)))
        .isEqualTo(
            MatrixCases.covering(Matrix.standard(Operation.SCATTER).withParameters(PARAMETERS)));
  }

  @Test
  void allCasesHaveEachValueOfEachParameter() {
    Matrix matrix =
        Matrix.standard(Operation.BARRIER)
            .withTopologies(List.of(Topology.flat(2), Topology.flat(3)))
            .withParameters(PARAMETERS);

    // Two groups, two protocols, two modes; the defaults, five other lengths, two other stages.
    assertThat(MatrixCases.all(matrix)).hasSize(2 * 2 * 2 * (1 + 5 + 2));
  }

  @Test
  void anAxisWithoutValuesLeavesNoCase() {
    assertThat(MatrixCases.covering(Matrix.standard(Operation.BARRIER).withTopologies(List.of())))
        .isEmpty();
    assertThat(MatrixCases.all(Matrix.standard(Operation.BARRIER).withTopologies(List.of())))
        .isEmpty();
  }
}
