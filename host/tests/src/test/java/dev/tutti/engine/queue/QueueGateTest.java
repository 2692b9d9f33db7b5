package dev.tutti.engine.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class QueueGateTest {

  private static final int QUEUES = 2;

  private final QueueProgress progress = new QueueProgress(QueueLines.ofHeap(QUEUES, QUEUES), 1);
  private final QueueGate gate = new QueueGate(progress, false);

  /** Opens the gate, lets all queues enter an operation, and closes the gate. */
  private void closeIn(long operation) {
    gate.open(gate.state());
    enter(operation);
    assertThat(gate.close()).isFalse();
  }

  private void enter(long operation) {
    for (int queue = 0; queue < QUEUES; queue++) {
      progress.enter(queue, operation);
    }
  }

  @Test
  void itIsClosedUntilRanksHaveAgreed() {
    assertThat(gate.isOpenFor(1)).isFalse();
    gate.open(gate.state());
    assertThat(gate.isOpenFor(1)).isTrue();
  }

  @Test
  void anOperationThatAllHaveEnteredGoesOn() {
    closeIn(1);
    assertThat(gate.isOpenFor(1)).isTrue();
    assertThat(gate.isOpenFor(2)).isFalse();
  }

  @Test
  void anOperationThatSomeHaveEnteredDoesNot() {
    gate.open(gate.state());
    enter(1);
    progress.leave(0, 1);
    progress.leave(1, 1);
    progress.enter(0, 2);
    assertThat(gate.close()).isTrue();
    assertThat(gate.isOpenFor(2)).isFalse();
  }

  /** A queue may have found it closed before the second time. */
  @Test
  void closedAgainItStaysClosedForTheSameOperations() {
    closeIn(1);
    enter(2);
    assertThat(gate.close()).isFalse();
    assertThat(gate.isOpenFor(2)).isFalse();
  }

  /** Ranks agreed before it was closed again, so perhaps on what serves no more. */
  @Test
  void anOldAgreementDoesNotOpenIt() {
    QueueGate.State seen = gate.state();
    gate.close();
    gate.open(seen);
    assertThat(gate.isOpenFor(1)).isFalse();
  }
}
