package dev.tutti.cli.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.sdk.topology.Topology;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.TypeConversionException;

class TopologiesTest {

  private final Topologies topologies = new Topologies();

  @Test
  void nodesAreAddedAndPodsAreSeparatedByBars() {
    assertThat(topologies.convert("8")).isEqualTo(Topology.flat(8));
    assertThat(topologies.convert("8+4")).isEqualTo(Topology.nodes(8, 4));
    assertThat(topologies.convert("4+4 | 3"))
        .isEqualTo(Topology.pods(List.of(new int[] {4, 4}, new int[] {3})));
  }

  @Test
  void aTopologyReadsWhatItPrints() {
    Topology topology = Topology.pods(List.of(new int[] {8, 4}, new int[] {2}));

    assertThat(topologies.convert(topology.toString())).isEqualTo(topology);
  }

  @Test
  void whatIsNoTopologyIsRefused() {
    for (String text : new String[] {"", "8+", "+4", "8++4", "8*4", "-1"}) {
      assertThatThrownBy(() -> topologies.convert(text))
          .isInstanceOf(TypeConversionException.class)
          .hasMessage(
              "'%s' is not a topology such as 8+4 (nodes), 8+8|8+4 (nodes in pods) or 2x(8+8)",
              text);
    }
  }
}
