package dev.tutti.host.planning;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.Context;
import dev.tutti.host.ContextBuilder;
import dev.tutti.host.Errors;
import dev.tutti.host.Floats;
import dev.tutti.host.Group;
import dev.tutti.host.Request;
import dev.tutti.host.SampleAlgorithms;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.pool.Choice;
import dev.tutti.host.pool.Estimate.Origin;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.param.BroadcastParam;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.Topology;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The choices for groups of several nodes. */
final class NetworkSelectionTest {

  private static final Topology NODES = Topology.nodes(4, 4, 4);
  private static final long LARGE = 1 << 20;

  /** From the root to the first rank of each node, and from there to the others of the node. */
  private static final class ByNode extends SampleAlgorithms.Pulling<BroadcastParam> {

    @Override
    protected void pull(BroadcastParam param, AlgResourceResponse resources, SubCommInfo comm) {
      Topology topology = param.comm().topology();
      int rank = comm.localRank();
      int leader = leader(topology, topology.nodeOf(rank), param.root());
      if (rank != leader) {
        comm.link(leader).await(resources.mainStream(), Link.READY);
        TransportMemType there =
            leader == param.root() ? TransportMemType.PARAM_INPUT : TransportMemType.PARAM_OUTPUT;
        comm.link(leader)
            .read(
                resources.mainStream(),
                resources.paramOutputMem(),
                comm.link(leader).remote(there));
        return;
      }
      copyFrom(
          resources,
          comm,
          param.root(),
          resources.paramOutputMem(),
          inputOf(resources, comm, param.root()));
      for (int member = 0; member < topology.rankSize(); member++) {
        if (member != rank && topology.nodeOf(member) == topology.nodeOf(rank)) {
          comm.link(member).post(resources.mainStream(), Link.READY);
        }
      }
    }

    private static int leader(Topology topology, int node, int root) {
      int first = 0;
      while (topology.nodeOf(first) != node) {
        first++;
      }
      return topology.nodeOf(root) == node ? root : first;
    }
  }

  @TempDir private Path directory;

  private static ContextBuilder builder() {
    return Context.builder()
        .algorithm("flat", new SampleAlgorithms.PullBroadcast())
        .algorithm("by-node", new ByNode());
  }

  private static Choice choice(ContextBuilder builder, Topology topology, long count) {
    try (Context context = builder.open();
        Group group = context.createGroup(topology)) {
      return group.request(CollectiveCall.broadcast(DataType.FLOAT32, count, 0)).explain();
    }
  }

  private static String chosen(ContextBuilder builder, long count) {
    return choice(builder, NODES, count).chosen().name();
  }

  private Path network(String between) throws IOException {
    return Files.writeString(
        directory.resolve("network.json"),
        """
        {"format": "tutti-network/1", "sharing": "max-min",
         "levels": {"level0": {"latency": "1 us", "bandwidth": "10 GB/s"}%s}}
        """
            .formatted(between));
  }

  @Test
  void hierarchicalWinsWhereRanksOfANodeShareTheNetwork() {
    assertThat(chosen(builder(), LARGE)).isEqualTo("by-node");
  }

  @Test
  void flatWinsWhereOnlyLatencyCounts() {
    assertThat(chosen(builder(), 1)).isEqualTo("flat");
  }

  @Test
  void flatWinsOnANetworkThatIsAsFastAsTheNodes() throws IOException {
    // The root's port serves all anyhow, and one step is less than two.
    assertThat(chosen(builder().network(network("")), 1)).isEqualTo("flat");
  }

  @Test
  void theFileDecides() throws IOException {
    // A byte takes as long as a thousand inside the node.
    Path slow = network(", \"level1\": {\"bandwidth\": \"10 MB/s\"}");
    assertThat(chosen(builder().network(slow), 10)).isEqualTo("by-node");
    assertThat(chosen(builder(), 10)).isEqualTo("flat");
  }

  @Test
  void theWholeDecisionIsShown() {
    Choice choice = choice(builder(), NODES, LARGE);
    assertThat(choice.candidates())
        .allSatisfy(each -> assertThat(each.estimate().origin()).isEqualTo(Origin.NETWORK));
    assertThat(choice.toString())
        .containsPattern(
            "-> embedded:by-node: \\d+\\.\\d\\d µs by its plan on the network \\(11 messages,"
                + " 46137344 bytes\\)");
  }

  @Test
  void oneNodeOfManyRanksIsAMachine() {
    assertThat(choice(builder(), Topology.flat(40), LARGE).candidates())
        .allSatisfy(each -> assertThat(each.estimate().origin()).isEqualTo(Origin.PLAN));
  }

  @Test
  void tooManyRanksAreNotComparedAndThatIsSaid() {
    Topology many = Topology.nodes(PlanComparison.MAX_RANKS, 1);
    assertThat(choice(builder(), many, 1).candidates())
        .allSatisfy(
            each -> {
              assertThat(each.estimate().origin()).isEqualTo(Origin.NONE);
              assertThat(each.estimate().toString())
                  .isEqualTo("declares no cost (the group has more than 256 ranks)");
            });
  }

  @Test
  void whatIsChosenIsRight() {
    int count = 1000;
    @Nullable MemorySegment[] inputs = new MemorySegment[NODES.rankSize()];
    MemorySegment[] outputs = new MemorySegment[NODES.rankSize()];
    Arrays.setAll(outputs, rank -> MemorySegment.ofArray(new float[count]));
    float[] data = new float[count];
    Arrays.fill(data, 7);
    inputs[0] = MemorySegment.ofArray(data);
    try (Context context = builder().open();
        Group group = context.createGroup(NODES)) {
      for (String algorithm : new String[] {"flat", "by-node"}) {
        try (Request request =
            group
                .request(CollectiveCall.broadcast(DataType.FLOAT32, count, 0))
                .algorithm(algorithm)
                .buffers(inputs, outputs)
                .build()) {
          request.run();
        }
        assertThat(outputs).allSatisfy(output -> assertThat(Floats.values(output)).isEqualTo(data));
      }
    }
  }

  @Test
  void aNetworkFileThatIsWrongIsRefused() throws IOException {
    Path wrong = Files.writeString(directory.resolve("wrong.json"), "{\"format\": \"other\"}");
    Errors.message(ErrorCode.INVALID_ARGUMENT, () -> Context.builder().network(wrong));
    Errors.message(
        ErrorCode.INVALID_ARGUMENT, () -> Context.builder().network(directory.resolve("none")));
  }
}
