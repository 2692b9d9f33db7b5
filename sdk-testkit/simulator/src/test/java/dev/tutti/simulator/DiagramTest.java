package dev.tutti.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanRecorder;
import dev.tutti.samples.Collectives;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.param.AllGatherParam;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.topology.Topology;
import java.io.StringReader;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.xml.sax.InputSource;

class DiagramTest {

  private static GroupPlan allReduce(
      CollExecutorBase<AllReduceParam> executor, int ranks, long count) {
    CommInfo comm = CommInfo.of(0, Topology.flat(ranks));
    AllReduceParam param = new AllReduceParam(comm, DataType.FLOAT32, ReduceOp.SUM, count);
    return new PlanRecorder().record("a <b> & c", executor, param);
  }

  private static long count(String svg, String element) {
    return Pattern.compile("<" + element + " ").matcher(svg).results().count();
  }

  @Test
  void aRingHasAnArrowForEachMessageAndACircleForEachReduction() throws Exception {
    String svg = Diagram.toSvg(allReduce(Collectives.ring(), 4, 16));

    assertThat(count(svg, "circle")).isEqualTo(12);
    assertThat(count(svg, "polygon")).isEqualTo(12);
    assertThat(count(svg, "line")).isEqualTo(4 + 24);
    assertThat(svg).contains("a &lt;b&gt; &amp; c, 4 ranks: 24 messages");
    DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(svg)));
    assertThat(Diagram.toSvg(allReduce(Collectives.ring(), 4, 16))).isEqualTo(svg);
  }

  @Test
  void messagesThatTakeTheirTurnAtAPortFollowOneAnother() {
    GroupPlan plan = Reads.plan(Topology.flat(3), 4, Map.of(0, List.of(1, 2)), false);

    String svg = Diagram.toSvg(plan);

    // The first ends where the second begins, in the middle of the picture.
    assertThat(svg).contains("x1=\"70.0\"").contains("x1=\"401.5\"").doesNotContain("<circle");
  }

  @Test
  void placesInTheVectorHaveColoursOfTheirOwn() {
    String svg = Diagram.toSvg(allReduce(Collectives.ring(), 4, 16));

    assertThat(Pattern.compile("stroke=\"(hsl[^\"]*)\"").matcher(svg).results())
        .extracting(result -> result.group(1))
        .hasSize(24 + 12)
        .containsOnly("hsl(0 75% 42%)", "hsl(73 75% 42%)", "hsl(145 75% 42%)", "hsl(218 75% 42%)");
  }

  @Test
  void aPictureHasItsLimits() {
    CommInfo comm = CommInfo.of(0, Topology.flat(65));
    GroupPlan wide =
        new PlanRecorder()
            .record(
                "wide",
                Collectives.bruckAllGather(),
                new AllGatherParam(comm, DataType.FLOAT32, 1));
    assertThatThrownBy(() -> Diagram.toSvg(wide))
        .hasMessageContaining("a picture takes up to 64 ranks. Actual: 65");
    assertThatThrownBy(() -> Diagram.toSvg(allReduce(Collectives.ring(), 50, 50)))
        .hasMessageContaining("a picture takes up to 4096 messages. Actual: 4900");
  }
}
