package dev.tutti.sdk.resource;

import static dev.tutti.sdk.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.RankList;
import dev.tutti.sdk.topology.Topology;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OpCommTransportTest {

  private static final TransportMemType IN = TransportMemType.CCL_INPUT;
  private static final TransportMemType OUT = TransportMemType.CCL_OUTPUT;

  private static CommInfo comm(int rank, Topology topology) {
    return CommInfo.of(rank, topology);
  }

  private static SingleSubCommTransport single(OpCommTransport transport, CommPlane plane) {
    return transport.levels().get(plane).subComms().getFirst();
  }

  private static Set<Integer> peers(SingleSubCommTransport links) {
    Set<Integer> peers = new TreeSet<>();
    links.validRequests().values().forEach(request -> peers.add(request.remoteUserRank()));
    return peers;
  }

  private static Set<Integer> peers(OpCommTransport transport, CommPlane plane) {
    return peers(single(transport, plane));
  }

  @Test
  void aRingOfOneHasNoLinks() {
    assertThat(
            peers(
                OpCommTransport.ring(comm(0, Topology.flat(1)), CommPlane.COMBINED, IN, OUT),
                CommPlane.COMBINED))
        .isEmpty();
  }

  @Test
  void aRingOfTwoHasOneLink() {
    assertThat(
            peers(
                OpCommTransport.ring(comm(1, Topology.flat(2)), CommPlane.COMBINED, IN, OUT),
                CommPlane.COMBINED))
        .containsExactly(0);
  }

  @ParameterizedTest
  @CsvSource({"0, 1, 2", "1, 0, 2", "2, 0, 1"})
  void aRingOfThreeHasTwoLinks(int rank, int one, int other) {
    assertThat(
            peers(
                OpCommTransport.ring(comm(rank, Topology.flat(3)), CommPlane.COMBINED, IN, OUT),
                CommPlane.COMBINED))
        .containsExactly(one, other);
  }

  @Test
  void aRingStaysInsideItsPlane() {
    Topology topology = Topology.nodes(4, 4);

    assertThat(
            peers(
                OpCommTransport.ring(comm(7, topology), CommPlane.LEVEL0, IN, OUT),
                CommPlane.LEVEL0))
        .containsExactly(4, 6);
    assertThat(
            peers(
                OpCommTransport.ring(comm(7, topology), CommPlane.LEVEL1, IN, OUT),
                CommPlane.LEVEL1))
        .containsExactly(3);
  }

  @Test
  void aMeshLinksToAllOthersOfThePlane() {
    assertThat(
            peers(
                OpCommTransport.mesh(comm(5, Topology.nodes(4, 3)), CommPlane.LEVEL0, IN, OUT),
                CommPlane.LEVEL0))
        .containsExactly(4, 6);
  }

  @Test
  void pairsAreGivenByPositionInThePlane() {
    assertThat(
            peers(
                OpCommTransport.pairs(
                    comm(5, Topology.nodes(4, 3)), CommPlane.LEVEL0, IN, OUT, 1, 2),
                CommPlane.LEVEL0))
        .containsExactly(6);
    assertRefused(
        () -> OpCommTransport.pairs(comm(5, Topology.nodes(4, 3)), CommPlane.LEVEL0, IN, OUT, 3),
        ErrorCode.INVALID_RANK,
        "sub-communicator rank must be 0 to 2. Actual: 3");
  }

  @Test
  void aTreeIsSymmetricConnectedAndHasOneLinkLessThanRanks() {
    for (int size = 1; size <= 17; size++) {
      for (int root = 0; root < size; root++) {
        int links = 0;
        for (int rank = 0; rank < size; rank++) {
          for (int peer : tree(rank, size, root)) {
            assertThat(tree(peer, size, root)).contains(rank);
            links++;
          }
        }
        assertThat(links).isEqualTo(2 * (size - 1));
        assertThat(reachable(size, root)).isEqualTo(size);
      }
    }
  }

  private static Set<Integer> tree(int rank, int size, int root) {
    return peers(
        OpCommTransport.tree(comm(rank, Topology.flat(size)), CommPlane.COMBINED, IN, OUT, root),
        CommPlane.COMBINED);
  }

  private static int reachable(int size, int root) {
    Set<Integer> seen = new TreeSet<>(Set.of(root));
    List<Integer> open = new java.util.ArrayList<>(seen);
    while (!open.isEmpty()) {
      for (int peer : tree(open.removeLast(), size, root)) {
        if (seen.add(peer)) {
          open.add(peer);
        }
      }
    }
    return seen.size();
  }

  @Test
  void aBinomialTreeOfEightHasItsRootLinkedToOneTwoAndFour() {
    assertThat(tree(0, 8, 0)).containsExactly(1, 2, 4);
    assertThat(tree(6, 8, 0)).containsExactly(4, 7);
    assertThat(tree(3, 8, 3)).containsExactly(4, 5, 7);
  }

  @Test
  void aRootOutsideThePlaneIsRefused() {
    assertRefused(
        () -> tree(0, 4, 4),
        ErrorCode.INVALID_RANK,
        "sub-communicator rank must be 0 to 3. Actual: 4");
  }

  @Test
  void theBuilderTakesProtocolAcknowledgementAndNotifies() {
    SingleSubCommTransport links =
        single(
            OpCommTransport.builder(comm(0, Topology.flat(4)))
                .protocol(Protocol.RDMA)
                .supportDataReceivedAck(false)
                .notifyNum(7)
                .pairs(CommPlane.COMBINED, IN, OUT, 1)
                .build(),
            CommPlane.COMBINED);

    assertThat(links.protocol()).isEqualTo(Protocol.RDMA);
    assertThat(links.supportDataReceivedAck()).isFalse();
    assertThat(links.validRequests().get(1).notifyNum()).isEqualTo(7);
  }

  @Test
  void theProtocolIsTheGroupsUnlessSaidOtherwise() {
    CommInfo comm = comm(0, Topology.flat(2)).withProtocol(Protocol.RDMA);

    assertThat(
            single(OpCommTransport.ring(comm, CommPlane.LEVEL0, IN, OUT), CommPlane.LEVEL0)
                .protocol())
        .isEqualTo(Protocol.RDMA);
  }

  @Test
  void shapesOnOnePlaneAddUp() {
    OpCommTransport transport =
        OpCommTransport.builder(comm(0, Topology.flat(8)))
            .ring(CommPlane.COMBINED, IN, OUT)
            .pairs(CommPlane.COMBINED, IN, OUT, 4, 1)
            .build();

    assertThat(peers(transport, CommPlane.COMBINED)).containsExactly(1, 4, 7);
  }

  @Test
  void oneLinkInTwoWaysIsRefused() {
    OpCommTransport.Builder builder =
        OpCommTransport.builder(comm(0, Topology.flat(3))).ring(CommPlane.COMBINED, IN, OUT);

    assertThat(
            dev.tutti.sdk.Refusal.refusalOf(() -> builder.mesh(CommPlane.COMBINED, IN, IN))
                .getMessage())
        .startsWith("the link from rank 0 to rank 1 is asked for in two ways: ");
  }

  @Test
  void onePlaneOverTwoProtocolsIsRefused() {
    OpCommTransport.Builder builder =
        OpCommTransport.builder(comm(0, Topology.flat(3))).ring(CommPlane.COMBINED, IN, OUT);

    assertRefused(
        () -> builder.protocol(Protocol.RDMA).pairs(CommPlane.COMBINED, IN, OUT, 2),
        ErrorCode.LINK_MISMATCH,
        "sub-communicator 0 of combined is [0, 1, 2] over direct, and cannot be [0, 1, 2] over rdma"
            + " at once");
  }

  @Test
  void aSubCommunicatorIsFiledBehindThePlane() {
    List<SingleSubCommTransport> level =
        OpCommTransport.builder(comm(4, Topology.flat(8)))
            .subComm(CommPlane.COMBINED, 1, RankList.of(6, 4, 2), IN, OUT, 0, 1, 2)
            .build()
            .levels()
            .get(CommPlane.COMBINED)
            .subComms();

    assertThat(level).hasSize(2);
    assertThat(level.get(0).members()).isEqualTo(RankList.range(8));
    assertThat(peers(level.get(0))).isEmpty();
    assertThat(level.get(1).members()).isEqualTo(RankList.of(6, 4, 2));
    assertThat(peers(level.get(1))).containsExactly(2, 6);
  }

  @Test
  void subCommunicatorsAreGivenInAnyOrder() {
    List<SingleSubCommTransport> level =
        OpCommTransport.builder(comm(0, Topology.flat(4)))
            .subComm(CommPlane.COMBINED, 2, RankList.of(0, 3), IN, OUT, 1)
            .subComm(CommPlane.COMBINED, 1, RankList.of(0, 1, 2), IN, OUT, 1, 2)
            .protocol(Protocol.RDMA)
            .ring(CommPlane.COMBINED, IN, OUT)
            .build()
            .levels()
            .get(CommPlane.COMBINED)
            .subComms();

    assertThat(peers(level.get(0))).containsExactly(1, 3);
    assertThat(level.get(0).protocol()).isEqualTo(Protocol.RDMA);
    assertThat(peers(level.get(1))).containsExactly(1, 2);
    assertThat(peers(level.get(2))).containsExactly(3);
  }

  @Test
  void indexZeroBelongsToTheTopology() {
    assertRefused(
        () ->
            OpCommTransport.builder(comm(0, Topology.flat(4)))
                .subComm(CommPlane.COMBINED, 0, RankList.of(0, 1), IN, OUT, 1),
        ErrorCode.INVALID_ARGUMENT,
        "the index of a sub-communicator must be 1 or more; 0 is the topology's plane. Actual: 0");
  }

  @Test
  void equalRequestsAreEqual() {
    assertThat(OpCommTransport.mesh(comm(1, Topology.flat(3)), CommPlane.LEVEL0, IN, OUT))
        .isEqualTo(OpCommTransport.ring(comm(1, Topology.flat(3)), CommPlane.LEVEL0, IN, OUT));
    assertThat(OpCommTransport.none().levels()).isEmpty();
  }
}
