package dev.tutti.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class InternerTest {

  private final Interner interner = new Interner();

  @Test
  void equalValuesBecomeOne() {
    List<Integer> first = List.of(1, 2);
    assertThat(interner.value(first)).isSameAs(first);
    assertThat(interner.value(List.of(1, 2))).isSameAs(first);
    assertThat(interner.value(List.of(2, 1))).isEqualTo(List.of(2, 1));
  }

  @Test
  void equalStartsOfArraysBecomeOne() {
    int[] first = interner.ints(new int[] {1, 2, 3}, 2);

    assertThat(first).containsExactly(1, 2);
    assertThat(interner.ints(new int[] {1, 2}, 2)).isSameAs(first);
    assertThat(interner.ints(new int[] {1, 2, 3}, 3)).containsExactly(1, 2, 3);
    assertThat(interner.longs(new long[] {7})).isSameAs(interner.longs(new long[] {7}));
  }

  @Test
  void aSharedArrayDoesNotChangeWithItsSource() {
    int[] source = {1, 2, 3};
    int[] kept = interner.ints(source, 3);
    source[0] = 9;

    assertThat(kept).containsExactly(1, 2, 3);
    assertThat(interner.ints(new int[] {1, 2, 3}, 3)).isSameAs(kept);
  }

  @Test
  void longArraysThatDifferInOneEntryStayDifferent() {
    int[] zeros = new int[10_000];
    int[] first = interner.ints(zeros, zeros.length);
    for (int at = 0; at < 300; at++) {
      int[] other = zeros.clone();
      other[at] = 1;
      assertThat(interner.ints(other, other.length)).isNotSameAs(first).isEqualTo(other);
    }
  }

  @Test
  void whatIsForgottenIsOnlyNotShared() {
    int[] early = interner.ints(new int[] {-1}, 1);
    for (int i = 0; i < 10_000; i++) {
      assertThat(interner.ints(new int[] {i}, 1)).containsExactly(i);
    }

    assertThat(interner.ints(new int[] {-1}, 1)).isNotSameAs(early).isEqualTo(early);
    assertThat(Arrays.equals(interner.ints(new int[0], 0), new int[0])).isTrue();
  }
}
