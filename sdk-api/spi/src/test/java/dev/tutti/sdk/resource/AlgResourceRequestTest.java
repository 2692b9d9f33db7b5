package dev.tutti.sdk.resource;

import static dev.tutti.sdk.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.topology.RankList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AlgResourceRequestTest {

  @Test
  void slaveStreamsGetTwoNotifiesEachUnlessSaidOtherwise() {
    AlgResourceRequest request = AlgResourceRequest.none().withStreamNum(3);

    assertThat(request.notifyNum()).isEqualTo(6);
    assertThat(request.withNotifyNum(9).notifyNum()).isEqualTo(9);
    assertRefused(
        () -> request.withNotifyNum(5),
        ErrorCode.INVALID_ARGUMENT,
        "notifyNum must be at least two for each slave stream. Actual: notifyNum=5, streamNum=3");
    assertRefused(
        () -> request.withNotifyNum(65_537),
        ErrorCode.INVALID_ARGUMENT,
        "notifyNum must be at most 65536. Actual: 65537");
  }

  @Test
  void eachCopyChangesOneThing() {
    assertThat(
            AlgResourceRequest.none().withScratchMemSize(10).withStreamNum(1).withAivBufferSize(20))
        .isEqualTo(new AlgResourceRequest(10, 1, 2, 20, OpCommTransport.none()));
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 4096})
  void tooManyOrTooFewStreamsAreRefused(int streams) {
    assertRefused(
        () -> AlgResourceRequest.none().withStreamNum(streams),
        ErrorCode.INVALID_ARGUMENT,
        "streamNum must be 0 to 4095. Actual: " + streams);
  }

  @Test
  void negativeMemoryIsRefused() {
    assertRefused(
        () -> AlgResourceRequest.none().withScratchMemSize(-1),
        ErrorCode.INVALID_ARGUMENT,
        "scratchMemSize and aivBufferSize must be 0 or more bytes. Actual: -1 and 0");
  }

  // ---- links

  private static TransportRequest link(int from, int to) {
    return TransportRequest.of(from, to, TransportMemType.SCRATCH, TransportMemType.SCRATCH);
  }

  private static SingleSubCommTransport links(TransportRequest... requests) {
    return new SingleSubCommTransport(
        RankList.of(2, 5, 7), 5, Protocol.DIRECT, true, List.of(requests));
  }

  @Test
  void aLinkLeadsToAnotherRank() {
    assertRefused(
        () -> link(3, 3),
        ErrorCode.INVALID_RANK,
        "a link must lead to another rank. Actual: from 3 to 3");
    assertRefused(
        () -> link(3, -1),
        ErrorCode.INVALID_RANK,
        "a link must lead to another rank. Actual: from 3 to -1");
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 1025})
  void aLinkHas3To1024Notifies(int notifies) {
    assertThat(link(0, 1).withNotifyNum(1024).notifyNum()).isEqualTo(1024);
    assertRefused(
        () -> link(0, 1).withNotifyNum(notifies),
        ErrorCode.INVALID_ARGUMENT,
        "a link has 3 to 1024 notifies at each end. Actual: " + notifies);
  }

  @Test
  void aSubCommunicatorListsOneRequestPerMemberAndKeepsOnlyTheWantedOnes() {
    SingleSubCommTransport links = links(link(5, 7), TransportRequest.none(5, 2));

    assertThat(links.transportRequests())
        .containsExactly(TransportRequest.none(5, 2), TransportRequest.none(5, 5), link(5, 7));
    assertThat(links.validRequests()).containsOnlyKeys(2);
    assertThat(links).hasToString("rank 5 of [2, 5, 7] direct links [2]");
  }

  @Test
  void theWantedLinksComeInTheOrderOfTheMembersWhateverWasAskedFirst() {
    TransportRequest wide = link(5, 2).withNotifyNum(9);

    for (SingleSubCommTransport links :
        List.of(links(wide, link(5, 7)), links(link(5, 7), wide, TransportRequest.none(5, 5)))) {
      assertThat(links.validRequestList()).containsExactly(wide, link(5, 7));
      assertThat(links.validRequests()).containsExactly(entry(0, wide), entry(2, link(5, 7)));
      assertThat(links.transportRequests())
          .containsExactly(wide, TransportRequest.none(5, 5), link(5, 7));
    }
  }

  @Test
  void linksThatDifferInTheirPeersOnlyAreKeptApart() {
    assertThat(links(link(5, 7), link(5, 2)).validRequestList())
        .containsExactly(link(5, 2), link(5, 7));
  }

  @Test
  void aSubCommunicatorWithoutThisRankIsRefused() {
    assertRefused(
        () -> new SingleSubCommTransport(RankList.of(2, 7), 5, Protocol.DIRECT, true, List.of()),
        ErrorCode.INVALID_RANK,
        "rank 5 is not a member of the sub-communicator [2, 7]");
  }

  @Test
  void aLinkToAStrangerOrFromAnotherRankIsRefused() {
    assertRefused(
        () -> links(link(5, 3)),
        ErrorCode.INVALID_RANK,
        "a link of rank 5 in the sub-communicator [2, 5, 7] cannot lead from 5 to 3");
    assertRefused(
        () -> links(link(2, 7)),
        ErrorCode.INVALID_RANK,
        "a link of rank 5 in the sub-communicator [2, 5, 7] cannot lead from 2 to 7");
  }

  @Test
  void aLinkThatIsAskedForTwiceIsRefused() {
    assertRefused(
        () -> links(link(5, 7), link(5, 7)),
        ErrorCode.LINK_MISMATCH,
        "rank 5 asks twice for the link to rank 7");
  }

  @Test
  void equalLinksAreEqual() {
    assertThat(links(link(5, 7))).isEqualTo(links(link(5, 7))).hasSameHashCodeAs(links(link(5, 7)));
    assertThat(links(link(5, 7))).isNotEqualTo(links(link(5, 2)));
  }
}
