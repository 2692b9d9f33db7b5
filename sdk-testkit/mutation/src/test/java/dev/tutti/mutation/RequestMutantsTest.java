package dev.tutti.mutation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.mutation.RequestMutants.RequestMutant;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.SingleSubCommTransport;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.resource.TransportRequest;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.Topology;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RequestMutantsTest {

  private static final int RANKS = 4;
  private static final int ELEMENT_BYTES = 4;

  /** A ring of four ranks; rank 0 has 2 slave streams, 5 notifies, and rank 1 has memory. */
  private static List<@Nullable AlgResourceRequest> requests() {
    List<@Nullable AlgResourceRequest> requests = new ArrayList<>();
    for (int rank = 0; rank < RANKS; rank++) {
      AlgResourceRequest request =
          AlgResourceRequest.of(
              OpCommTransport.ring(
                  CommInfo.of(rank, Topology.flat(RANKS)),
                  CommPlane.COMBINED,
                  TransportMemType.PARAM_INPUT,
                  TransportMemType.SCRATCH));
      requests.add(
          switch (rank) {
            case 0 -> request.withStreamNum(2).withNotifyNum(5);
            case 1 -> request.withScratchMemSize(8).withAivBufferSize(4);
            default -> request;
          });
    }
    return requests;
  }

  /** The requests of all ranks after a change. */
  private static List<AlgResourceRequest> changed(String text) {
    RequestMutant mutant =
        RequestMutants.of(requests(), ELEMENT_BYTES).stream()
            .filter(m -> m.text().equals(text))
            .findFirst()
            .orElseThrow();
    List<AlgResourceRequest> changed = new ArrayList<>();
    for (int rank = 0; rank < RANKS; rank++) {
      AlgResourceRequest request = requests().get(rank);
      assertThat(request).isNotNull();
      changed.add(mutant.change().of(rank, request));
    }
    return changed;
  }

  /** The ranks whose requests do not change. */
  private static int[] unchanged(String text) {
    List<AlgResourceRequest> changed = changed(text);
    return IntStream.range(0, RANKS)
        .filter(rank -> changed.get(rank).equals(requests().get(rank)))
        .toArray();
  }

  private static NavigableMap<Integer, TransportRequest> links(String text, int rank) {
    SingleSubCommTransport comm =
        changed(text)
            .get(rank)
            .opTransport()
            .levels()
            .get(CommPlane.COMBINED)
            .subComms()
            .getFirst();
    return comm.validRequests();
  }

  @Test
  void aLinkIsDroppedByOneRankOrByBoth() {
    assertThat(links("rank 0 asks for no link to rank 1 in combined", 0)).containsOnlyKeys(3);
    assertThat(unchanged("rank 0 asks for no link to rank 1 in combined")).containsExactly(1, 2, 3);
    String both = "rank 0 asks for no link to rank 1 in combined, and so does the peer";
    assertThat(links(both, 0)).containsOnlyKeys(3);
    assertThat(links(both, 1)).containsOnlyKeys(2);
    assertThat(unchanged(both)).containsExactly(2, 3);
  }

  @Test
  void aLinkTooManyIsAskedForByOneRankOrByBoth() {
    assertThat(links("rank 0 asks for one more link to rank 2 in combined", 0))
        .containsOnlyKeys(1, 2, 3);
    assertThat(unchanged("rank 0 asks for one more link to rank 2 in combined"))
        .containsExactly(1, 2, 3);
    String both = "rank 0 asks for one more link to rank 2 in combined, and so does the peer";
    assertThat(links(both, 0)).containsOnlyKeys(1, 2, 3);
    assertThat(links(both, 2)).containsOnlyKeys(0, 1, 3);
  }

  @Test
  void bothEndsOfALinkGetANotifyMore() {
    String text =
        "rank 2 asks for one more notify on its link to rank 3 in combined, and so does the peer";

    assertThat(links(text, 2).get(3).notifyNum()).isEqualTo(4);
    assertThat(links(text, 3).get(2).notifyNum()).isEqualTo(4);
    assertThat(links(text, 2).get(1).notifyNum()).isEqualTo(3);
  }

  @Test
  void streamsAndNotifiesAreOneMoreAndOneLess() {
    assertThat(changed("rank 0 asks for one more stream").getFirst())
        .extracting(AlgResourceRequest::streamNum, AlgResourceRequest::notifyNum)
        .containsExactly(3, 7);
    assertThat(changed("rank 0 asks for one stream fewer").getFirst())
        .extracting(AlgResourceRequest::streamNum, AlgResourceRequest::notifyNum)
        .containsExactly(1, 3);
    assertThat(changed("rank 0 asks for one more notify").getFirst().notifyNum()).isEqualTo(6);
    assertThat(changed("rank 0 asks for one notify fewer").getFirst().notifyNum()).isEqualTo(4);
    assertThat(unchanged("rank 0 asks for one more stream")).containsExactly(1, 2, 3);
  }

  @Test
  void memoryIsAnElementLessOnOneRankAndAnElementMoreOnAll() {
    assertThat(changed("rank 1 asks for less scratch").get(1).scratchMemSize()).isEqualTo(4);
    assertThat(changed("rank 1 asks for less AIV memory").get(1).aivBufferSize()).isZero();
    assertThat(changed("all ranks ask for more scratch"))
        .extracting(AlgResourceRequest::scratchMemSize)
        .containsExactly(4L, 12L, 4L, 4L);
    assertThat(changed("all ranks ask for more AIV memory"))
        .extracting(AlgResourceRequest::aivBufferSize)
        .containsExactly(4L, 8L, 4L, 4L);
  }

  @Test
  void whatIsNotAskedForCannotBeLess() {
    assertThat(RequestMutants.of(requests(), ELEMENT_BYTES))
        .extracting(RequestMutant::text)
        .doesNotHaveDuplicates()
        .noneMatch(text -> text.matches("rank [123] asks for one (stream|notify) less"))
        .noneMatch(text -> text.matches("rank [023] asks for less .*"));
  }

  @Test
  void aRankThatTakesNoPartAsksForNothing() {
    List<@Nullable AlgResourceRequest> idle =
        new ArrayList<>(Arrays.asList(null, null, requests().get(2), requests().get(3)));

    assertThat(RequestMutants.of(idle, ELEMENT_BYTES))
        .extracting(RequestMutant::text)
        .noneMatch(text -> text.startsWith("rank 0") || text.startsWith("rank 1"));
  }
}
