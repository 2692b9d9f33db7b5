package dev.tutti.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class ColumnTest {

  private static long[] numbers(Column column, int size) {
    long[] numbers = new long[size];
    for (int i = 0; i < size; i++) {
      numbers[i] = column.get(i);
    }
    return numbers;
  }

  private static void assertKept(long... numbers) {
    Column column = Column.of(numbers, numbers.length);
    assertThat(numbers(column, numbers.length)).containsExactly(numbers);
    assertThat(column).isEqualTo(Column.of(numbers.clone(), numbers.length));
  }

  @Test
  void numbersAboveTwoGibibytesAreKept() {
    assertKept(Integer.MAX_VALUE);
    assertKept(Integer.MAX_VALUE + 1L);
    assertKept(0, 5L << 31, 7, Long.MAX_VALUE, 0, 3L << 40);
    assertKept(LongStream.range(0, 100).map(i -> i * (3L << 30)).toArray());
  }

  @Test
  void stretchesOfEqualStepsAreKept() {
    assertKept(LongStream.range(0, 100).toArray());
    assertKept(LongStream.range(0, 100).map(i -> 64).toArray());
    assertKept(LongStream.range(0, 100).map(i -> 990 - 10 * i).toArray());
    assertKept(LongStream.range(0, 100).map(i -> (i + 37) % 100 * 8).toArray());
    assertKept(LongStream.range(0, 64).map(i -> i < 3 ? i * i : 7).toArray());
  }

  @Test
  void stepsThatDoNotFitInALongAreKept() {
    long[] ends = LongStream.range(0, 64).map(i -> i < 32 ? 0 : Long.MAX_VALUE).toArray();
    assertKept(ends);
    assertKept(LongStream.range(0, 64).map(i -> Long.MAX_VALUE - i * (1L << 57)).toArray());
  }

  @Test
  void nothingIsKeptToo() {
    assertThat(Column.of(new long[] {1, 2}, 0)).isEqualTo(Column.EMPTY);
  }

  /** Random runs of random lengths, so that each form and each border occurs. */
  @RepeatedTest(200)
  void everyListOfNumbersIsKept(RepetitionInfo repetition) {
    Random random = new Random(repetition.getCurrentRepetition());
    long[] numbers = new long[random.nextInt(1, 3000)];
    int longest = random.nextInt(1, 200);
    long bound = random.nextBoolean() ? 1L << 20 : 1L << 50;
    for (int start = 0; start < numbers.length; ) {
      int end = Math.min(numbers.length, start + random.nextInt(1, longest + 1));
      long origin = random.nextLong(bound);
      long step = random.nextLong(bound / 4096);
      for (int i = start; i < end; i++) {
        numbers[i] = origin + step * (i - start);
      }
      start = end;
    }
    assertKept(numbers);

    long[] other = numbers.clone();
    other[random.nextInt(other.length)]++;
    assertThat(Column.of(other, other.length)).isNotEqualTo(Column.of(numbers, numbers.length));
    assertThat(Column.of(Arrays.copyOf(numbers, 5000), numbers.length))
        .isEqualTo(Column.of(numbers, numbers.length))
        .hasSameHashCodeAs(Column.of(numbers, numbers.length));
  }

  @Test
  void onlyNumbersInLongStretchesAreRuns() {
    long[] regular = LongStream.range(0, 64).map(i -> i / 16 * 1000 + i).toArray();
    assertThat(Runs.of(regular, 64)).isNotNull();
    assertThat(Runs.of(regular, 31)).as("two runs of 16 and 15").isNotNull();
    assertThat(Runs.of(new long[] {1, 9, 2, 8, 3, 7, 4, 6}, 8)).isNull();

    long[] many = LongStream.range(0, 256 * 16).map(i -> i / 16 * 1000 + i).toArray();
    assertThat(Runs.of(many, 255 * 16)).isNotNull();
    assertThat(Runs.of(many, 256 * 16)).as("more runs than a byte counts").isNull();
  }
}
