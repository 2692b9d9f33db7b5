package dev.tutti.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FirstUseTest {

  private final FirstUse numbers = new FirstUse();

  @Test
  void keysAreNumberedInTheOrderOfTheirFirstUse() {
    assertThat(numbers.number(70)).isZero();
    assertThat(numbers.number(7)).isEqualTo(1);
    assertThat(numbers.number(70)).isZero();
    assertThat(numbers.number(0)).isEqualTo(2);
    assertThat(numbers.intKeys()).containsExactly(70, 7, 0);
    assertThat(numbers.contains(7)).isTrue();
    assertThat(numbers.contains(8)).isFalse();
  }

  @Test
  void aClearedOneStartsAgain() {
    for (int key = 0; key < 1000; key++) {
      numbers.number(key);
    }
    for (int round = 0; round < 3; round++) {
      numbers.clear();
      assertThat(numbers.contains(999)).isFalse();
      assertThat(numbers.number(999)).isZero();
      assertThat(numbers.number(5)).isEqualTo(1);
    }
    assertThat(numbers.keys()).containsExactly(999, 5);
  }

  @Test
  void replacedKeysKeepTheirNumbers() {
    numbers.number(5);
    numbers.number(3);
    numbers.replaceKeys(key -> key > 3 ? key - 1 : key);

    assertThat(numbers.intKeys()).containsExactly(4, 3);
    assertThat(numbers.number(4)).isZero();
    assertThat(numbers.number(5)).isEqualTo(2);
  }

  @Test
  void itAgreesWithAMapOnRandomKeys() {
    Random random = new Random(42);
    for (int round = 0; round < 20; round++) {
      numbers.clear();
      Map<Long, Integer> expected = new HashMap<>();
      int uses = random.nextInt(1, 5000);
      long bound = 1L << random.nextInt(1, 62);
      for (int use = 0; use < uses; use++) {
        long key = random.nextLong(bound);
        expected.putIfAbsent(key, expected.size());
        assertThat(numbers.number(key)).isEqualTo(expected.get(key));
      }
      assertThat(numbers.count()).isEqualTo(expected.size());
    }
  }
}
