package dev.tutti.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanRecorder;
import dev.tutti.plugins.ring.RingAllGather;
import dev.tutti.plugins.ring.RingAllReduce;
import dev.tutti.plugins.tree.BinomialBroadcast;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.AllGatherParam;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.param.BroadcastParam;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.topology.Topology;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The generated algorithms that the reference plugins have, too, emit the same plans as those: what
 * the archetype teaches cannot fall behind what Tutti itself does.
 */
class GeneratedStylesTest {

  @Test
  void theAllReduceOfTemplatesIsTheReferenceRing() throws Exception {
    assertPlansAreEqual(
        "all-reduce-template/project/ring-all-reduce",
        "org.example.ring.RingAllReduce",
        new RingAllReduce(),
        requests(comm -> new AllReduceParam(comm, DataType.FLOAT32, ReduceOp.SUM, 1001)));
  }

  @Test
  void theAllGatherOfATemplateIsTheReferenceRing() throws Exception {
    assertPlansAreEqual(
        "all-gather-template/project/circle-all-gather",
        "org.example.circle.CircleAllGather",
        new RingAllGather(),
        requests(comm -> new AllGatherParam(comm, DataType.FLOAT32, 1001)));
  }

  @Test
  void theExplicitAllGatherIsTheReferenceRing() throws Exception {
    assertPlansAreEqual(
        "all-gather/project/g",
        "a.b.G",
        new RingAllGather(),
        requests(comm -> new AllGatherParam(comm, DataType.FLOAT32, 1001)));
  }

  @Test
  void theBroadcastOfATemplateIsTheReferenceTree() throws Exception {
    assertPlansAreEqual(
        "broadcast-template/project/binomial",
        "org.example.binomial.BinomialBroadcast",
        new BinomialBroadcast(),
        requests(comm -> new BroadcastParam(comm, DataType.FLOAT32, 1001, comm.rankSize() - 1)));
  }

  private interface Requests<P extends OpParam> {
    P of(CommInfo comm);
  }

  private static <P extends OpParam> List<P> requests(Requests<P> requests) {
    List<P> all = new ArrayList<>();
    for (int ranks : new int[] {1, 2, 3, 8}) {
      for (WorkflowMode mode : WorkflowMode.values()) {
        for (Protocol protocol : Protocol.values()) {
          CommInfo comm = CommInfo.of(0, Topology.flat(ranks));
          all.add(requests.of(comm.withMode(mode).withProtocol(protocol)));
        }
      }
    }
    return all;
  }

  private static <P extends OpParam> void assertPlansAreEqual(
      String project, String className, CollExecutorBase<P> reference, List<P> requests)
      throws Exception {
    URL[] classes = {new GeneratedPlugin(project, "1.0.0").classes().toUri().toURL()};
    try (URLClassLoader loader =
        new URLClassLoader(classes, GeneratedStylesTest.class.getClassLoader())) {
      // The name of the class says which operation it is for.
      @SuppressWarnings("unchecked")
      CollExecutorBase<P> generated =
          (CollExecutorBase<P>) loader.loadClass(className).getConstructor().newInstance();
      assertThat(generated.determinism()).isEqualTo(reference.determinism());
      for (P request : requests) {
        assertThat(plan(generated, request)).as("%s", request).isEqualTo(plan(reference, request));
      }
    }
  }

  private static <P extends OpParam> GroupPlan plan(CollExecutorBase<P> executor, P request) {
    return new PlanRecorder().record("plan", executor, request);
  }
}
