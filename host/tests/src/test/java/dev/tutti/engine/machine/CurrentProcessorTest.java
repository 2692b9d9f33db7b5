package dev.tutti.engine.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.util.BitSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class CurrentProcessorTest {

  private final CurrentProcessor processor = CurrentProcessor.ofSystem();

  @Test
  void aThreadMovesToEachProcessorThatItMayUseAndIsNotBoundToIt() {
    BitSet allowed = processor.allowed();
    assumeThat(allowed.isEmpty()).as("known here").isFalse();
    assertThat(allowed.get(processor.number())).isTrue();
    allowed.stream()
        .forEach(
            to -> {
              assertThat(processor.moveTo(to)).as("moved to %d", to).isTrue();
              assertThat(processor.allowed()).isEqualTo(allowed);
            });
  }

  @Test
  void aThreadThatMovesIsThere() {
    BitSet allowed = processor.allowed();
    assumeThat(allowed.isEmpty()).as("known here").isFalse();
    assertThat(allowed.stream().allMatch(this::arrives)).isTrue();
  }

  /** Tries it often, because the system may move the thread on before it looks. */
  private boolean arrives(int to) {
    for (int i = 0; i < 1000; i++) {
      if (processor.moveTo(to) && processor.number() == to) {
        return true;
      }
    }
    return false;
  }

  @Test
  void noThreadMovesWhereItMayNot() {
    BitSet allowed = processor.allowed();
    int beyond = allowed.length();
    assertThat(processor.moveTo(beyond)).isFalse();
    assertThat(processor.allowed()).isEqualTo(allowed);
  }

  @Test
  void aVirtualThreadIsNotMoved() throws InterruptedException {
    AtomicBoolean isKnown = new AtomicBoolean();
    int to = Math.max(0, processor.allowed().length() - 1);
    Thread.ofVirtual()
        .start(
            () ->
                isKnown.set(
                    processor.number() != CurrentProcessor.UNKNOWN
                        || !processor.allowed().isEmpty()
                        || processor.moveTo(to)))
        .join();
    assertThat(isKnown).isFalse();
  }
}
