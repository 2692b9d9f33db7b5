package dev.tutti.plugins.custom;

import static dev.tutti.testkit.assertions.TestkitAssertions.assertThat;

import dev.tutti.plugins.template.Mesh;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.param.BarrierParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.Report;
import dev.tutti.verifier.Step;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.rule.Rule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What protects the memory is needed: without it the testkit objects. */
class NegativeControlsTest {

  private static final long BYTES = 176;

  /** One buffer for operands and parts. */
  private static final Variant SINGLE_BUFFER =
      Variant.in(TransportMemType.AIV_INPUT, TransportMemType.AIV_INPUT);

  /** The two AIV memories, used the other way round. */
  private static final Variant SWAPPED =
      Variant.in(TransportMemType.AIV_OUTPUT, TransportMemType.AIV_INPUT);

  private final VirtualCluster graph = cluster(WorkflowMode.GRAPH);
  private final VirtualCluster staged = cluster(WorkflowMode.OP_BASE);

  private static VirtualCluster cluster(WorkflowMode mode) {
    return VirtualCluster.builder(Topology.flat(4)).mode(mode).build();
  }

  private static AllReduceParam param(VirtualCluster cluster, AlgOptions options) {
    return Requests.sum(cluster.comm(), options, BYTES);
  }

  /** Begins with the signal that says that parts are there. */
  private static final class FinFirst extends CollExecutorBase<BarrierParam> {
    @Override
    public AlgResourceRequest calcResRequest(BarrierParam param) {
      return AlgResourceRequest.of(
          OpCommTransport.mesh(
              param.comm(),
              CommPlane.LEVEL0,
              TransportMemType.CCL_INPUT,
              TransportMemType.CCL_OUTPUT));
    }

    @Override
    public void orchestrate(BarrierParam param, AlgResourceResponse resources) {
      Mesh mesh = new Mesh(resources.subComm(CommPlane.LEVEL0), resources.mainStream());
      mesh.barrier(Link.FIN);
      mesh.barrier(Link.FIN_ACK);
    }
  }

  private Report twice(CollExecutorBase<AllReduceParam> executor, AlgOptions options) {
    return staged.checkSequence(new Step<>(executor, param(staged, options)));
  }

  private Report before(CollExecutorBase<AllReduceParam> executor, Step<?> next) {
    return staged.checkSequence(new Step<>(executor, param(staged, Requests.TWO_STAGES)), next);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1stage", "2stage"})
  void peersMustHaveLoadedTheCallersBuffersBeforeARankReturns(String algorithm) {
    AllReduceParam param = param(graph, AlgOptions.none().with("algorithm", algorithm));

    assertThat(graph.check(new CustomAllReduce(), param)).isClean();
    assertThat(graph.check(Variant.unclosed(), param)).breaks(Rule.OUTSIDE_CALL);
  }

  @Test
  void oneStageMustBeClosedBeforeTheNextCallStagesItsInput() {
    assertThat(twice(new CustomAllReduce(), Requests.ONE_STAGE)).isClean();
    assertThat(twice(Variant.unclosed(), Requests.ONE_STAGE))
        .breaksOnly(Rule.SEQUENCE_RACE, Rule.SEQUENCE_NOTIFY);
  }

  @Test
  void aSingleBufferMustBeClosedBeforeTheNextCallStagesItsInput() {
    assertThat(twice(SINGLE_BUFFER, Requests.TWO_STAGES)).isClean();
    assertThat(twice(SINGLE_BUFFER.notClosed(), Requests.TWO_STAGES))
        .breaksOnly(Rule.SEQUENCE_RACE);
  }

  @Test
  void twoBuffersMustBeClosedForAlgorithmsThatUseThemInAnotherWay() {
    Step<?> swapped = new Step<>(SWAPPED, param(staged, Requests.TWO_STAGES));

    assertThat(twice(Variant.unclosed(), Requests.TWO_STAGES)).isClean();
    assertThat(before(new CustomAllReduce(), swapped)).isClean();
    assertThat(before(Variant.unclosed(), swapped)).breaksOnly(Rule.SEQUENCE_RACE);
  }

  @Test
  void twoStagesMustBeClosedForAlgorithmsThatBeginWithTheirLastSignal() {
    Step<?> finFirst = new Step<>(new FinFirst(), new BarrierParam(staged.comm()));

    assertThat(before(new CustomAllReduce(), finFirst)).isClean();
    assertThat(before(Variant.unclosed(), finFirst)).breaksOnly(Rule.SEQUENCE_NOTIFY);
  }
}
