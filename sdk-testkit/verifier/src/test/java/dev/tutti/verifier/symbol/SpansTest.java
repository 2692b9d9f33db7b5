package dev.tutti.verifier.symbol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SpansTest {

  @Test
  void actsAsASetOfBytes() {
    Random random = new Random(5);
    for (int trial = 0; trial < 300; trial++) {
      Spans spans = new Spans();
      BitSet bytes = new BitSet();
      for (int step = 0; step < 12; step++) {
        int from = random.nextInt(60);
        int to = from + 1 + random.nextInt(12);
        if (random.nextInt(3) > 0) {
          spans.add(from, to);
          bytes.set(from, to);
        } else {
          BitSet expected = bytes.get(0, 100);
          expected.clear(0, from);
          expected.clear(to, 100);
          bytes.clear(from, to);
          BitSet taken = new BitSet();
          spans.take(from, to, 1).forEach(span -> taken.set((int) span[0], (int) span[1]));
          assertThat(taken).isEqualTo(expected);
        }
        assertThat(spans.isEmpty()).isEqualTo(bytes.isEmpty());
      }
    }
  }

  @Test
  void takesWholeElements() {
    Spans spans = new Spans();
    spans.add(11, 12);
    spans.add(17, 18);

    assertThat(spans.take(10, 18, 4)).containsExactly(new long[] {10, 18});
    assertThat(spans.isEmpty()).isTrue();
  }
}
