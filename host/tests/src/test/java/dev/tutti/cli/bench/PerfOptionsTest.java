package dev.tutti.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.cli.options.CallSelection;
import dev.tutti.cli.options.OperationName;
import dev.tutti.engine.machine.MachineLayout;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.topology.Topology;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

class PerfOptionsTest {

  private static final OperationName ALL_REDUCE = OperationName.of("all_reduce");

  @Test
  void oneSizeOf32MebibytesIsUsual() {
    assertThat(parse().counts(ALL_REDUCE, DataType.INT8, 2)).containsExactly(32L << 20);
  }

  @Test
  void aTopologyPlacesTheRanks() {
    assertThat(parse().topology(0)).isEqualTo(Topology.flat(4));
    assertThat(parse().topology(6)).isEqualTo(Topology.flat(6));
    assertThat(parse("-t", "3").topology(6)).isEqualTo(Topology.flat(3));
    assertThat(parse("--topology", "8+4").topology(0)).isEqualTo(Topology.nodes(8, 4));
    assertThat(parse("-g", "12", "--topology", "8+4").topology(0)).isEqualTo(Topology.nodes(8, 4));
    assertThat(parse("--topology", "found").topology(6))
        .isEqualTo(MachineLayout.found().topology(6));
  }

  @Test
  void sizesGoByFactorsOrSteps() {
    assertThat(parse("-b", "8", "-e", "100", "-f", "3").counts(ALL_REDUCE, DataType.INT8, 2))
        .containsExactly(8L, 24L, 72L);
    assertThat(parse("-b", "8", "-e", "28", "-i", "10").counts(ALL_REDUCE, DataType.INT8, 2))
        .containsExactly(8L, 18L, 28L);
    assertThat(parse("-b", "1M", "-e", "3M").counts(ALL_REDUCE, DataType.INT8, 2))
        .containsExactly(1L << 20, 2L << 20, 3L << 20);
  }

  @Test
  void sizesEndWhereNumbersDo() {
    String most = Long.toString(Long.MAX_VALUE);
    assertThat(
            parse("-b", "4G", "-e", most, "-f", "2147483647").counts(ALL_REDUCE, DataType.INT8, 2))
        .hasSize(2);
    assertThat(parse("-b", most, "-e", most).counts(ALL_REDUCE, DataType.INT8, 2)).hasSize(1);
  }

  @Test
  void sizesThatAreNotWholeBlocksAreRoundedDownAndMeasuredOnce() {
    assertThat(
            parse("-b", "1", "-e", "64", "-f", "2")
                .counts(OperationName.of("allgather"), DataType.FLOAT32, 4))
        .containsExactly(1L, 2L, 4L);
  }

  @Test
  void allReductionsAreThoseOfTheTypeAndTheOperation() {
    assertThat(parse("-d", "half", "-o", "all").selections(ALL_REDUCE, 2))
        .extracting(selection -> selection.op().label())
        .containsExactly("sum", "prod", "max", "min", "avg");
    assertThat(parse("-d", "int8", "-o", "all").selections(OperationName.of("scan"), 2))
        .extracting(selection -> selection.op().label())
        .containsExactly("sum", "prod", "max", "min", "band", "bor", "bxor");
    assertThat(parse("-d", "all").selections(ALL_REDUCE, 2))
        .extracting(CallSelection::type)
        .containsExactly(DataType.values());
    assertThat(parse("-d", "all", "-r", "all").selections(OperationName.of("reduce"), 3))
        .hasSize(3 * DataType.values().length);
  }

  private static PerfOptions parse(String... arguments) {
    PerfOptions options = new PerfOptions();
    CommandSpec spec =
        CommandSpec.create().addMixin("options", CommandSpec.forAnnotatedObject(options));
    new CommandLine(spec).parseArgs(arguments);
    options.check();
    return options;
  }
}
