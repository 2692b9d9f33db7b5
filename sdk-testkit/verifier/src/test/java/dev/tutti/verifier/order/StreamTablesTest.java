package dev.tutti.verifier.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class StreamTablesTest {

  @Test
  void theyHoldWhatMapsWouldHold() {
    Random random = new Random(1);
    StreamTables tables = new StreamTables(3, 3);
    Map<Integer, Map<Integer, Integer>> expected = new HashMap<>();
    for (int i = 0; i < 5000; i++) {
      int stream = random.nextInt(3);
      int key = random.nextInt(1 + random.nextInt(1000));
      int at = tables.find(stream, key);
      assertThat(at >= 0).isEqualTo(expected.getOrDefault(stream, Map.of()).containsKey(key));
      if (at < 0) {
        at = tables.add(stream, key);
        assertThat(tables.table(stream)[at + 2]).as("values of a new entry").isZero();
      }
      tables.table(stream)[at + 2] = i;
      expected.computeIfAbsent(stream, s -> new HashMap<>()).put(key, i);
    }
    for (int stream = 0; stream < 3; stream++) {
      for (Map.Entry<Integer, Integer> entry : expected.get(stream).entrySet()) {
        int at = tables.find(stream, entry.getKey());
        assertThat(tables.table(stream)[at + 2]).isEqualTo(entry.getValue());
      }
    }
  }

  @Test
  void aStreamWithoutEntriesHasNone() {
    StreamTables tables = new StreamTables(2, 1);
    tables.add(0, 7);
    assertThat(tables.find(1, 7)).isEqualTo(StreamTables.ABSENT);
  }
}
