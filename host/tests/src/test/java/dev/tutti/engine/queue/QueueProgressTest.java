package dev.tutti.engine.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** At 4 million operations a second, the numbers overflow after nine minutes. */
class QueueProgressTest {

  private static final int QUEUES = 2;
  private static final long OWN = 5;
  private static final long OTHER = 6;

  private final QueueLines lines = QueueLines.ofHeap(QUEUES, QUEUES);
  private final QueueProgress progress = new QueueProgress(lines, 1);

  private void enter(int queue, long number, long binding) {
    lines.ended().setRelease(queue, 0, number - 1);
    progress.bring(queue, number - 1, binding);
    progress.enter(queue, number);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, Integer.MAX_VALUE, 1L << 32, -1})
  void aQueueIsInsideFromItsEntryUntilItLeaves(long number) {
    progress.leave(0, number - 1);
    assertThat(progress.isInside(0, number)).isFalse();
    enter(0, number, OWN);
    assertThat(progress.isInside(0, number)).isTrue();
    assertThat(progress.isInside(0, number + 1)).isFalse();
    progress.tell(0, QueueProgress.entry(number) + 3);
    assertThat(progress.isInside(0, number)).isTrue();
    progress.leave(0, number);
    assertThat(progress.isInside(0, number)).isFalse();
  }

  /** After a short operation, a queue does not show in its progress that it has left. */
  @ParameterizedTest
  @ValueSource(longs = {1, Integer.MAX_VALUE, 1L << 32, -1})
  void aQueueThatNotesTheEndHasLeft(long number) {
    enter(0, number, OWN);
    lines.ended().setRelease(0, 0, number);
    assertThat(progress.isInside(0, number)).isFalse();
    assertThat(progress.isAnyInside((int) number)).isFalse();
    progress.enter(0, number + 1);
    assertThat(progress.isInside(0, number + 1)).isTrue();
  }

  /** It has found that all brought the same, although it does not show that it has left. */
  @ParameterizedTest
  @ValueSource(longs = {1, Integer.MAX_VALUE, 1L << 32, -1})
  void aQueueLeavesBeforeItBringsAnotherBinding(long number) {
    enter(0, number, OWN);
    progress.bring(0, number, OTHER);
    assertThat(progress.isInside(0, number)).isFalse();
    assertThat(progress.differs(0, number, OWN)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, Integer.MAX_VALUE, 1L << 32, -1})
  void progressOnlyGrows(long number) {
    progress.leave(0, number - 1);
    assertThat(progress.hasReached(0, QueueProgress.entry(number))).isFalse();
    enter(0, number, OWN);
    assertThat(progress.hasReached(0, QueueProgress.entry(number))).isTrue();
    assertThat(progress.hasReached(0, QueueProgress.entry(number) + 1)).isFalse();
    progress.leave(0, number);
    assertThat(progress.hasReached(0, QueueProgress.end(number))).isTrue();
    assertThat(progress.hasReached(0, QueueProgress.entry(number + 1))).isFalse();
  }

  /** A queue that has left has found that all brought the same, whatever it brings now. */
  @ParameterizedTest
  @ValueSource(longs = {1, Integer.MAX_VALUE, 1L << 32, -1})
  void aBindingDiffersOnlyInItsOperation(long number) {
    enter(0, number, OTHER);
    assertThat(progress.differs(0, number, OWN)).isTrue();
    assertThat(progress.differs(0, number, OTHER)).isFalse();
    progress.leave(0, number);
    assertThat(progress.differs(0, number, OWN)).isFalse();
    enter(0, number + 1, OTHER);
    assertThat(progress.differs(0, number, OWN)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, Integer.MAX_VALUE, 1L << 32, -1})
  void theLastOneCounts(long number) {
    enter(0, number, OWN);
    enter(1, number + 1, OWN);
    assertThat(progress.leastEntered()).isEqualTo((int) number);
    assertThat(progress.isAnyInside((int) number)).isTrue();
    enter(0, number + 2, OWN);
    assertThat(progress.leastEntered()).isEqualTo((int) (number + 1));
    assertThat(progress.isAnyInside((int) number)).isFalse();
  }
}
