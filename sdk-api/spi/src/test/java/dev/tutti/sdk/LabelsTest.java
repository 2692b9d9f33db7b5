package dev.tutti.sdk;

import static dev.tutti.sdk.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class LabelsTest {

  private record Labelled(
      String name, List<String> labels, Function<String, ? extends Enum<?>> reader, List<?> all) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static <E extends Enum<E>> Labelled labelled(
      E[] values, Function<E, String> label, Function<String, E> reader) {
    return new Labelled(
        values[0].getDeclaringClass().getSimpleName(),
        Stream.of(values).map(label).toList(),
        reader,
        List.of(values));
  }

  static Stream<Labelled> everyEnumWithLabels() {
    return Stream.of(
        labelled(DataType.values(), DataType::label, DataType::fromLabel),
        labelled(ReduceOp.values(), ReduceOp::label, ReduceOp::fromLabel),
        labelled(Operation.values(), Operation::label, Operation::fromLabel),
        labelled(WorkflowMode.values(), WorkflowMode::label, WorkflowMode::fromLabel),
        labelled(Protocol.values(), Protocol::label, Protocol::fromLabel),
        labelled(Determinism.values(), Determinism::label, Determinism::fromLabel),
        labelled(CommPlane.values(), CommPlane::label, CommPlane::fromLabel),
        labelled(TransportMemType.values(), TransportMemType::label, TransportMemType::fromLabel));
  }

  @ParameterizedTest
  @MethodSource("everyEnumWithLabels")
  void everyLabelLeadsBackToItsValue(Labelled labelled) {
    assertThat(labelled.labels.stream().map(labelled.reader).toList()).isEqualTo(labelled.all);
  }

  @ParameterizedTest
  @MethodSource("everyEnumWithLabels")
  void labelsAreDifferentLowerCaseWords(Labelled labelled) {
    assertThat(labelled.labels).doesNotHaveDuplicates().allMatch(l -> l.matches("[a-z][a-z0-9-]*"));
  }

  @Test
  void labelsArePartOfTheFileFormatAndDoNotChange() {
    assertThat(Stream.of(DataType.values()).map(DataType::label))
        .containsExactly(
            "int8",
            "int16",
            "int32",
            "int64",
            "uint8",
            "uint16",
            "uint32",
            "uint64",
            "float16",
            "bfloat16",
            "float32",
            "float64");
    assertThat(Stream.of(ReduceOp.values()).map(ReduceOp::label))
        .containsExactly("sum", "prod", "max", "min", "band", "bor", "bxor");
    assertThat(Stream.of(TransportMemType.values()).map(TransportMemType::label))
        .containsExactly(
            "ccl-input",
            "ccl-output",
            "param-input",
            "param-output",
            "scratch",
            "aiv-input",
            "aiv-output");
    assertThat(Stream.of(CommPlane.values()).map(CommPlane::label))
        .containsExactly("level0", "level1", "level2", "combined");
    assertThat(Stream.of(Protocol.values()).map(Protocol::label)).containsExactly("direct", "rdma");
  }

  @ParameterizedTest
  @CsvSource({
    "ALLREDUCE, ALL_REDUCE",
    "all-reduce, ALL_REDUCE",
    "All_Reduce, ALL_REDUCE",
    "reduce_scatter_v, REDUCE_SCATTER_V",
    "Exclusive-Scan, EXCLUSIVE_SCAN"
  })
  void operationsAreReadWithHyphensUnderscoresAndCapitals(String label, Operation operation) {
    assertThat(Operation.fromLabel(label)).isEqualTo(operation);
  }

  @ParameterizedTest
  @CsvSource({"OP_BASE, OP_BASE", "opbase, OP_BASE", "Graph, GRAPH"})
  void workflowModesAreReadWithHyphensUnderscoresAndCapitals(String label, WorkflowMode mode) {
    assertThat(WorkflowMode.fromLabel(label)).isEqualTo(mode);
  }

  @Test
  void lettersAreFoldedTheSameWayInEveryLocale() {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.of("tr"));
    try {
      assertThat(Operation.fromLabel("BATCHSENDRECV")).isEqualTo(Operation.BATCH_SEND_RECV);
      assertThat(DataType.fromLabel("INT8")).isEqualTo(DataType.INT8);
      assertThat(Determinism.SAME_SIZES.label()).isEqualTo("same-sizes");
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void anUnknownDataTypeIsRefusedWithTheNearestName() {
    assertRefused(
        () -> DataType.fromLabel("flaot32"),
        ErrorCode.UNKNOWN_NAME,
        "unknown data type 'flaot32'; did you mean 'float32'? (known: int8, int16, int32, int64,"
            + " uint8, uint16, uint32, uint64, float16, bfloat16, float32, float64)");
  }

  @Test
  void anUnknownReductionIsRefusedWithTheNearestName() {
    assertRefused(
        () -> ReduceOp.fromLabel("summ"),
        ErrorCode.UNKNOWN_NAME,
        "unknown reduction 'summ'; did you mean 'sum'? (known: sum, prod, max, min, band, bor,"
            + " bxor)");
  }

  @Test
  void anUnknownModeIsRefusedWithTheNearestName() {
    assertRefused(
        () -> WorkflowMode.fromLabel("grahp"),
        ErrorCode.UNKNOWN_NAME,
        "unknown workflow mode 'grahp'; did you mean 'graph'? (known: op-base, graph)");
  }

  @Test
  void anUnknownProtocolThatResemblesNoneIsRefusedWithoutASuggestion() {
    assertRefused(
        () -> Protocol.fromLabel("tcp"),
        ErrorCode.UNKNOWN_NAME,
        "unknown protocol 'tcp' (known: direct, rdma)");
  }

  @Test
  void anUnknownOperationIsRefusedWithTheNearestName() {
    assertThat(Refusal.refusalOf(() -> Operation.fromLabel("allredcue")).getMessage())
        .startsWith("unknown operation 'allredcue'; did you mean 'allreduce'? (known: allreduce,");
  }

  @ParameterizedTest
  @CsvSource({"SUM, true", "PROD, true", "MAX, true", "MIN, true", "BAND, false", "BXOR, false"})
  void bitwiseReductionsTakeNoFloats(ReduceOp op, boolean isSupported) {
    assertThat(op.supports(DataType.BFLOAT16)).isEqualTo(isSupported);
    assertThat(op.supports(DataType.UINT16)).isTrue();
  }

  @Test
  void aDeterminismClassSatisfiesItselfAndTheOnesBefore() {
    assertThat(Determinism.SAME_RANKS.satisfies(Determinism.NONE)).isTrue();
    assertThat(Determinism.SAME_RANKS.satisfies(Determinism.SAME_RANKS)).isTrue();
    assertThat(Determinism.SAME_RANKS.satisfies(Determinism.SAME_SIZES)).isFalse();
  }

  @Test
  void errorIdsAreDifferent() {
    assertThat(Stream.of(ErrorCode.values()).map(ErrorCode::id))
        .doesNotHaveDuplicates()
        .allMatch(id -> id.matches("TUTTI-\\d{3}"));
  }
}
