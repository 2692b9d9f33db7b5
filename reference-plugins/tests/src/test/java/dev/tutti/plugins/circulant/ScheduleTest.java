package dev.tutti.plugins.circulant;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScheduleTest {

  /** Every block that a rank sends is there in an earlier round, and it gets each block once. */
  @Test
  void everyRankHasAllBlocksAfterTheFewestRounds() {
    for (int size = 1; size <= 130; size++) {
      for (int blocks : new int[] {1, 2, 7, 20}) {
        checkRanks(size, blocks);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {999, 1024, 1025, 2000})
  void soItIsForManyRanks(int size) {
    checkRanks(size, 3);
  }

  private static void checkRanks(int size, int blocks) {
    CirculantGraph graph = new CirculantGraph(size);
    Schedule[] schedules = new Schedule[size];
    BitSet[] blocksOf = new BitSet[size];
    for (int rank = 0; rank < size; rank++) {
      schedules[rank] = new Schedule(graph, rank, blocks);
      blocksOf[rank] = new BitSet();
    }
    blocksOf[0].set(0, blocks);
    for (int round = 0; round < schedules[0].rounds(); round++) {
      checkRound(schedules, blocksOf, round);
    }
    assertThat(blocksOf).as("%d ranks", size).allMatch(got -> got.cardinality() == blocks);
    int log = 32 - Integer.numberOfLeadingZeros(size - 1);
    assertThat(schedules[0].rounds()).isEqualTo(size == 1 ? 0 : blocks - 1 + log);
  }

  private static void checkRound(Schedule[] schedules, BitSet[] blocksOf, int round) {
    BitSet[] before =
        IntStream.range(0, schedules.length)
            .mapToObj(rank -> (BitSet) blocksOf[rank].clone())
            .toArray(BitSet[]::new);
    int transfers = 0;
    for (int rank = 0; rank < schedules.length; rank++) {
      int sent = schedules[rank].sent(round);
      if (sent == Schedule.NONE) {
        continue;
      }
      int receiver = schedules[rank].receiver(round);
      assertThat(schedules[receiver].sender(round)).isEqualTo(rank);
      assertThat(schedules[receiver].received(round)).isEqualTo(sent);
      assertThat(before[rank].get(sent)).isTrue();
      assertThat(blocksOf[receiver].get(sent)).isFalse();
      blocksOf[receiver].set(sent);
      transfers++;
    }
    assertThat(schedules).filteredOn(s -> s.received(round) != Schedule.NONE).hasSize(transfers);
  }

  @Test
  void theFirstRanksOfSeventeenGetTheBlocksOfThePaper() {
    CirculantGraph graph = new CirculantGraph(17);

    assertThat(graph.received(0)).containsExactly(-4, -5, -2, -1, -3);
    assertThat(graph.received(1)).contains(0);
  }
}
