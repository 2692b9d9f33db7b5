package dev.tutti.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.cli.options.Durations;
import dev.tutti.cli.options.OperationName;
import dev.tutti.cli.options.Placement;
import dev.tutti.cli.options.Topologies;
import dev.tutti.engine.machine.MachineLayout;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.topology.Topology;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class BenchOptionsTest {

  private static final OperationName ALL_REDUCE = OperationName.of("allreduce");

  @Test
  void sizesGoFrom8BytesTo64MebibytesBothIncluded() {
    assertThat(parse().counts(ALL_REDUCE, DataType.INT8, 2))
        .containsExactly(
            8L, 64L, 512L, 4L << 10, 32L << 10, 256L << 10, 2L << 20, 16L << 20, 64L << 20);
  }

  @Test
  void theLargestSizeIsAlwaysMeasured() {
    assertThat(
            parse("--min", "10", "--max", "50", "--factor", "2")
                .counts(ALL_REDUCE, DataType.INT8, 2))
        .containsExactly(10L, 20L, 40L, 50L);
  }

  @Test
  void sizesThatAreNotWholeBlocksAreRoundedDownAndMeasuredOnce() {
    assertThat(
            parse("--sizes", "1,8,64,70")
                .counts(OperationName.of("allgather"), DataType.FLOAT32, 4))
        .containsExactly(1L, 4L);
  }

  @Test
  void twoAndFourRanksAreMeasuredUnlessTold() {
    assertThat(parse().groups()).containsExactly(Topology.flat(2), Topology.flat(4));
    assertThat(parse("--ranks", "1,7").groups())
        .containsExactly(Topology.flat(1), Topology.flat(7));
    assertThat(parse("--topology", "8+4").groups()).containsExactly(Topology.nodes(8, 4));
    assertThat(parse("--topology", "found", "--ranks", "1,7").groups())
        .containsExactly(MachineLayout.found().topology(1), MachineLayout.found().topology(7));
  }

  @Test
  void onlyOperationsThatHaveAFormInPlaceAreMeasuredInPlace() {
    assertThat(parse().places(ALL_REDUCE)).containsExactly(false, true);
    assertThat(parse().places(OperationName.of("send"))).containsExactly(false);
    assertThat(parse("--place", "in").places(ALL_REDUCE)).containsExactly(true);
  }

  private static BenchOptions parse(String... arguments) {
    BenchOptions options = new BenchOptions();
    CommandLine.Model.CommandSpec spec =
        CommandLine.Model.CommandSpec.create().addMixin("options", mixin(options));
    new CommandLine(spec)
        .registerConverter(Topology.class, new Topologies())
        .registerConverter(java.time.Duration.class, new Durations())
        .registerConverter(Placement.class, Placement::fromLabel)
        .parseArgs(arguments);
    return options;
  }

  private static CommandLine.Model.CommandSpec mixin(BenchOptions options) {
    return CommandLine.Model.CommandSpec.forAnnotatedObject(options);
  }
}
