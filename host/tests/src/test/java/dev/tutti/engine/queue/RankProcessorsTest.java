package dev.tutti.engine.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.tutti.engine.RankBinding;
import dev.tutti.engine.machine.CurrentProcessor;
import java.lang.foreign.Arena;
import java.util.BitSet;
import org.junit.jupiter.api.Test;

/** Ranks 0 and 2 run on processor 0, and ranks 1 and 3 on processor 1. */
class RankProcessorsTest {

  private static final int RANKS = 4;
  private static final long NUMBER = 7;
  private static final long ENTRY = QueueProgress.entry(NUMBER);

  private final QueueLines lines = QueueLines.ofHeap(RANKS, RANKS);
  private final QueueProgress progress = new QueueProgress(lines, 1);
  private final QueueStates states = new QueueStates(lines.states());
  private final RankProcessors processors =
      new RankProcessors(lines, CurrentProcessor.ofSystem(), 2);

  private void noteAll() {
    for (int rank = 0; rank < RANKS; rank++) {
      progress.runsOn(rank, rank % 2);
    }
  }

  private void enter(int... ranks) {
    for (int rank : ranks) {
      progress.enter(rank, NUMBER);
      int ignored = states.block(rank, QueueStates.ENTERED, 1, ENTRY);
    }
  }

  @Test
  void aRankSpinsOnlyWhenAllThatAreMissingRunElsewhere() {
    noteAll();
    enter(0);
    assertThat(processors.areAwaitedElsewhere(0)).as("rank 2 needs this processor").isFalse();
    enter(2);
    assertThat(processors.areAwaitedElsewhere(0)).isTrue();
    enter(1);
    assertThat(processors.areAwaitedElsewhere(0)).isTrue();
    assertThat(processors.areAwaitedElsewhere(1)).as("rank 3 needs this processor").isFalse();
  }

  @Test
  void inAnOperationItDependsOnTheRankThatIsAwaited() {
    noteAll();
    int ignored = states.block(0, QueueStates.RUNNING, 1, ENTRY + 1);
    assertThat(processors.areAwaitedElsewhere(0)).isTrue();
    ignored = states.block(0, QueueStates.RUNNING, 2, ENTRY + 1);
    assertThat(processors.areAwaitedElsewhere(0)).isFalse();
    ignored = states.block(0, QueueStates.RUNNING, RankBinding.MESSAGE, 0);
    assertThat(processors.areAwaitedElsewhere(0)).isFalse();
  }

  @Test
  void ofOneProcessorTheQueueThatRanLastRunsFirstInTheNextOperation() {
    noteAll();
    for (long number : new long[] {NUMBER, NUMBER + 1}) {
      boolean isAscending = number % 2 == 0;
      for (int rank = 0; rank < RANKS; rank++) {
        states.next(rank, number);
        for (int other = 0; other < RANKS; other++) {
          assertThat(processors.isBefore(other, rank))
              .as("%d before %d in operation %d", other, rank, number)
              .isEqualTo(Math.abs(other - rank) == 2 && other < rank == isAscending);
        }
      }
    }
    progress.runsOn(0, CurrentProcessor.UNKNOWN);
    progress.runsOn(2, CurrentProcessor.UNKNOWN);
    assertThat(processors.isBefore(0, 2) || processors.isBefore(2, 0)).isFalse();
  }

  @Test
  void whatIsNotKnownIsNotElsewhere() {
    enter(0, 1, 2);
    assertThat(processors.areApart(0, 3)).isFalse();
    assertThat(processors.areAwaitedElsewhere(0)).isFalse();
    progress.runsOn(0, 0);
    assertThat(processors.areApart(0, 3)).isFalse();
    progress.runsOn(3, 1);
    assertThat(processors.areApart(0, 3)).isTrue();
    progress.runsOn(3, CurrentProcessor.UNKNOWN);
    assertThat(processors.areApart(0, 3)).isFalse();
  }

  @Test
  void aThreadNotesWhereItRuns() throws InterruptedException {
    assumeThat(CurrentProcessor.ofSystem().number()).as("known here").isGreaterThanOrEqualTo(0);
    progress.runsOn(1, Integer.MAX_VALUE - 1);
    processors.note(0);
    assertThat(processors.areApart(0, 1)).isTrue();
    Thread.ofVirtual().start(() -> processors.note(0)).join();
    assertThat(processors.areApart(0, 1)).as("a virtual thread does not tell").isFalse();
  }

  /** Three processors, of which the threads may use the first two. */
  private static final class Machine implements CurrentProcessor {

    private final BitSet allowed = BitSet.valueOf(new long[] {0b011});
    private int number = 1;
    private int moves;

    @Override
    public int number() {
      return number;
    }

    @Override
    public BitSet allowed() {
      return allowed;
    }

    @Override
    public boolean moveTo(int processor) {
      assertThat(allowed.get(processor)).as("may move to %d", processor).isTrue();
      number = processor;
      moves++;
      return true;
    }
  }

  /** Puts all ranks on processors, and lets a rank wait; returns where it runs then. */
  private int afterWaiting(Machine machine, int share, int rank, int... places) {
    QueueLines of = QueueLines.ofHeap(places.length, places.length);
    QueueProgress noted = new QueueProgress(of, 1);
    RankProcessors ranks = new RankProcessors(of, machine, share);
    for (int i = 0; i < places.length; i++) {
      noted.runsOn(i, places[i]);
    }
    machine.number = places[rank];
    machine.moves = 0;
    for (int i = 1; i < RankProcessors.NOTES_BEFORE_LOOK; i++) {
      ranks.note(rank);
    }
    assertThat(machine.moves).as("it looks only now and then").isZero();
    ranks.note(rank);
    assertThat(machine.moves).isEqualTo(machine.number == places[rank] ? 0 : 1);
    return machine.number;
  }

  @Test
  void theLastRankOfACrowdedProcessorLeavesIt() {
    Machine machine = new Machine();
    assertThat(afterWaiting(machine, 2, 3, 1, 0, 1, 1)).isZero();
    assertThat(afterWaiting(machine, 2, 2, 1, 0, 1, 1)).as("rank 3 is the last").isEqualTo(1);
    assertThat(afterWaiting(machine, 2, 3, 1, 1, 1, 1)).as("nobody is there").isZero();
    assertThat(afterWaiting(machine, 2, 3, 0, 0, 1, 1)).as("all have their share").isEqualTo(1);
    assertThat(afterWaiting(machine, 2, 1, 1, 1)).as("no more than its share").isEqualTo(1);
    assertThat(afterWaiting(machine, 2, 2, 1, 1, 1)).as("one more").isZero();
    assertThat(afterWaiting(machine, 1, 2, 1, 0, 1)).as("two and one").isEqualTo(1);
    assertThat(afterWaiting(machine, 2, 4, 1, 0, 1, 0, 1))
        .as("it would be crowded there, too")
        .isEqualTo(1);
  }

  @Test
  void aRankGoesOnlyWhereItMay() {
    Machine machine = new Machine();
    assertThat(afterWaiting(machine, 1, 2, 1, 1, 1)).as("0, not 2").isZero();
    machine.allowed.clear(0);
    assertThat(afterWaiting(machine, 1, 2, 1, 1, 1)).isEqualTo(1);
    machine.allowed.clear();
    assertThat(afterWaiting(machine, 1, 2, 1, 1, 1)).as("nothing is known").isEqualTo(1);
    assertThat(afterWaiting(machine, 1, 1, CurrentProcessor.UNKNOWN, CurrentProcessor.UNKNOWN))
        .isEqualTo(CurrentProcessor.UNKNOWN);
  }

  @Test
  void ranksOfOtherProcessesAreOnlyCounted() {
    try (Arena arena = Arena.ofConfined()) {
      QueueLines shared =
          QueueLines.shared(2, 0, arena.allocate(QueueLines.sharedBytes(2), QueueCells.LINE));
      new QueueProgress(shared, 1).runsOn(1, Integer.MAX_VALUE - 1);
      RankProcessors ofProcess = new RankProcessors(shared, CurrentProcessor.ofSystem(), 1);
      ofProcess.note(0);
      assertThat(ofProcess.areApart(0, 1)).isFalse();
      Machine machine = new Machine();
      new QueueProgress(shared, 1).runsOn(0, machine.number());
      RankProcessors crowded = new RankProcessors(shared, machine, 1);
      for (int i = 0; i < RankProcessors.NOTES_BEFORE_LOOK; i++) {
        crowded.note(1);
      }
      assertThat(machine.number()).isZero();
    }
  }
}
