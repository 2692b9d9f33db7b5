package dev.tutti.sdk.topology;

import static dev.tutti.sdk.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.sdk.ErrorCode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TopologyTest {

  private static final Topology UNEVEN = Topology.nodes(8, 4);
  private static final Topology PODS = Topology.pods(List.of(new int[] {2, 2}, new int[] {2, 1}));

  @Test
  void aFlatTopologyIsOneNodeOfOnePod() {
    Topology flat = Topology.flat(5);

    assertThat(flat.rankSize()).isEqualTo(5);
    assertThat(flat.nodeCount()).isEqualTo(1);
    assertThat(flat.podCount()).isEqualTo(1);
    assertThat(flat.isUniform()).isTrue();
    assertThat(flat.plane(CommPlane.LEVEL0, 3)).isEqualTo(RankList.range(5));
    assertThat(flat.plane(CommPlane.LEVEL1, 3)).isEqualTo(RankList.of(3));
    assertThat(flat.plane(CommPlane.LEVEL2, 3)).isEqualTo(RankList.of(3));
    assertThat(flat.plane(CommPlane.COMBINED, 3)).isEqualTo(RankList.range(5));
  }

  @Test
  void aTextNamesNodesAndPodsAndIsReadBack() {
    Topology pods = Topology.parse(" 8+8 | 4 ");

    assertThat(pods).isEqualTo(Topology.pods(List.of(new int[] {8, 8}, new int[] {4})));
    assertThat(Topology.parse(pods.toString())).isEqualTo(pods);
    assertThat(Topology.parse("5")).isEqualTo(Topology.flat(5));
  }

  @ParameterizedTest
  @CsvSource({
    "2x(4+4), 4+4 | 4+4",
    "3x2, 2+2+2",
    "1+2x3, 1+3+3",
    "2x(2x3)|5, 3+3 | 3+3 | 5",
    "2 x ( 4 + 4 ), 4+4 | 4+4"
  })
  void whatIsRepeatedMayBeCounted(String text, String shape) {
    assertThat(Topology.parse(text)).hasToString(shape);
  }

  @Test
  void aLongTextIsRead() {
    assertThat(Topology.parse("1" + "+1".repeat(99_999)).rankSize()).isEqualTo(100_000);
  }

  @ParameterizedTest
  @CsvSource({
    "0x4, the number before x must be 1 or more",
    "0x(4), the number before x must be 1 or more",
    "99999999x1, a topology holds at most 16777216 ranks",
    "9999x(9999x1), a topology holds at most 16777216 ranks"
  })
  void whatIsRepeatedTooOftenOrNeverIsRefused(String text, String message) {
    assertRefused(() -> Topology.parse(text), ErrorCode.INVALID_RANK, message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "8+", "+8", "a", "8||4", "-1", "2x", "x2", "2x(4", "2x(2x(4))", "(4+4)"})
  void aTextOfAnotherFormIsRefused(String text) {
    assertRefused(
        () -> Topology.parse(text),
        ErrorCode.INVALID_ARGUMENT,
        "'" + text + "' is not a topology such as 8+4 (nodes), 8+8|8+4 (nodes in pods) or 2x(8+8)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"123456789", "4+99999999999999999999", "123456789x(2)"})
  void aNumberOfTooManyDigitsIsTooLarge(String text) {
    assertRefused(
        () -> Topology.parse(text),
        ErrorCode.INVALID_RANK,
        "a topology holds at most 16777216 ranks. Actual: "
            + text.replaceAll("4\\+|x.*", "")
            + " in '"
            + text
            + "'");
  }

  @Test
  void aSingleRankIsAloneOnEveryPlane() {
    for (CommPlane plane : CommPlane.values()) {
      assertThat(Topology.flat(1).plane(plane, 0)).isEqualTo(RankList.of(0));
    }
  }

  @ParameterizedTest
  @CsvSource({"0, 0, 0", "7, 0, 7", "8, 1, 0", "11, 1, 3"})
  void unevenNodesNumberTheirRanksOneAfterAnother(int rank, int node, int localIndex) {
    assertThat(UNEVEN.nodeOf(rank)).isEqualTo(node);
    assertThat(UNEVEN.localIndex(rank)).isEqualTo(localIndex);
    assertThat(UNEVEN.podOf(rank)).isZero();
  }

  @Test
  void ranksWithoutAPartnerInTheSmallerNodeAreAloneOnLevel1() {
    assertThat(UNEVEN.isUniform()).isFalse();
    assertThat(UNEVEN.nodeSize(0)).isEqualTo(8);
    assertThat(UNEVEN.nodeSize(1)).isEqualTo(4);
    assertThat(UNEVEN.plane(CommPlane.LEVEL0, 9)).isEqualTo(RankList.of(8, 9, 10, 11));
    assertThat(UNEVEN.plane(CommPlane.LEVEL1, 3)).isEqualTo(RankList.of(3, 11));
    assertThat(UNEVEN.plane(CommPlane.LEVEL1, 4)).isEqualTo(RankList.of(4));
  }

  @Test
  void podsMeetOnLevel2() {
    assertThat(PODS.podCount()).isEqualTo(2);
    assertThat(PODS.podSize(1)).isEqualTo(2);
    assertThat(PODS.podOf(3)).isZero();
    assertThat(PODS.podOf(4)).isEqualTo(1);
    assertThat(PODS.plane(CommPlane.LEVEL1, 5)).isEqualTo(RankList.of(5));
    assertThat(PODS.plane(CommPlane.LEVEL1, 4)).isEqualTo(RankList.of(4, 6));
    assertThat(PODS.plane(CommPlane.LEVEL2, 2)).isEqualTo(RankList.of(2, 6));
    assertThat(PODS.plane(CommPlane.LEVEL2, 3)).isEqualTo(RankList.of(3));
    assertThat(PODS.isUniform()).isFalse();
  }

  @Test
  void podsOfDifferentNumbersOfNodesAreNotUniform() {
    assertThat(Topology.pods(List.of(new int[] {2, 2}, new int[] {2})).isUniform()).isFalse();
    assertThat(Topology.pods(List.of(new int[] {2, 2}, new int[] {2, 2})).isUniform()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"0, 0, LEVEL0", "0, 1, LEVEL0", "1, 3, LEVEL1", "1, 5, LEVEL2", "6, 0, LEVEL2"})
  void twoRanksMeetOnTheLowestCommonLevel(int rank, int other, CommPlane level) {
    assertThat(PODS.levelBetween(rank, other)).isEqualTo(level);
  }

  @Test
  void everyLevelCutsTheRanksIntoPlanesThatAgreeAboutTheirMembers() {
    for (Topology topology : List.of(Topology.flat(6), UNEVEN, PODS, Topology.nodes(1, 3, 2))) {
      for (CommPlane level : CommPlane.values()) {
        for (int rank = 0; rank < topology.rankSize(); rank++) {
          RankList plane = topology.plane(level, rank);
          assertThat(plane.contains(rank)).isTrue();
          for (int i = 0; i < plane.size(); i++) {
            assertThat(topology.plane(level, plane.rank(i))).isEqualTo(plane);
          }
        }
      }
    }
  }

  @Test
  void theTextIsTheShape() {
    assertThat(UNEVEN).hasToString("8+4");
    assertThat(PODS).hasToString("2+2 | 2+1");
    assertThat(Topology.flat(3)).hasToString("3");
  }

  @Test
  void equalShapesAreEqual() {
    assertThat(Topology.nodes(8, 4)).isEqualTo(UNEVEN).hasSameHashCodeAs(UNEVEN);
    assertThat(Topology.nodes(12)).isEqualTo(Topology.flat(12)).isNotEqualTo(UNEVEN);
    assertThat(Topology.nodes(2, 2))
        .isNotEqualTo(Topology.pods(List.of(new int[] {2}, new int[] {2})));
  }

  @Test
  void theLargestTopologyHas2To24Ranks() {
    assertThat(Topology.flat(1 << 24).rankSize()).isEqualTo(1 << 24);
    assertRefused(
        () -> Topology.flat((1 << 24) + 1),
        ErrorCode.INVALID_RANK,
        "a topology holds at most 16777216 ranks");
    assertRefused(
        () -> Topology.nodes(Integer.MAX_VALUE, Integer.MAX_VALUE),
        ErrorCode.INVALID_RANK,
        "a topology holds at most 16777216 ranks");
  }

  @Test
  void emptyNodesPodsAndTopologiesAreRefused() {
    assertRefused(
        () -> Topology.nodes(4, 0),
        ErrorCode.INVALID_RANK,
        "a node must have at least one rank. Actual: [4, 0]");
    assertRefused(
        () -> Topology.flat(-2),
        ErrorCode.INVALID_RANK,
        "a node must have at least one rank. Actual: [-2]");
    assertRefused(
        () -> Topology.nodes(), ErrorCode.INVALID_RANK, "a pod must have at least one node");
    assertRefused(
        () -> Topology.pods(List.of()),
        ErrorCode.INVALID_RANK,
        "a topology must have at least one pod");
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 12})
  void aRankThatDoesNotExistIsRefused(int rank) {
    String message = "rank must be 0 to 11. Actual: " + rank;
    assertRefused(() -> UNEVEN.nodeOf(rank), ErrorCode.INVALID_RANK, message);
    assertRefused(() -> UNEVEN.podOf(rank), ErrorCode.INVALID_RANK, message);
    assertRefused(() -> UNEVEN.localIndex(rank), ErrorCode.INVALID_RANK, message);
    assertRefused(() -> UNEVEN.plane(CommPlane.COMBINED, rank), ErrorCode.INVALID_RANK, message);
    assertRefused(() -> UNEVEN.levelBetween(0, rank), ErrorCode.INVALID_RANK, message);
  }

  @Test
  void aNodeOrPodThatDoesNotExistIsRefused() {
    assertRefused(
        () -> UNEVEN.nodeSize(2), ErrorCode.INVALID_RANK, "node must be 0 to 1. Actual: 2");
    assertRefused(
        () -> UNEVEN.podSize(-1), ErrorCode.INVALID_RANK, "pod must be 0 to 0. Actual: -1");
  }
}
