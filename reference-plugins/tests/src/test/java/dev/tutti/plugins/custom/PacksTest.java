package dev.tutti.plugins.custom;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.sdk.resource.Slice;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PacksTest {

  @ParameterizedTest
  @CsvSource({
    "128, 0, 0, 32",
    "128, 3, 96, 32",
    "176, 2, 64, 32",
    "176, 3, 96, 80",
    "48, 0, 0, 0",
    "48, 3, 0, 48",
    "0, 3, 0, 0",
  })
  void theLastOfFourRanksTakesTheRemainder(long bytes, int rank, long offset, long size) {
    assertThat(Packs.part(bytes, 4, rank)).isEqualTo(new Slice(offset, size));
  }

  @Test
  void partsFollowOneAnotherAndAreMadeOfWholePacks() {
    LongStream.rangeClosed(0, 40)
        .map(packs -> packs * Packs.BYTES)
        .forEach(
            bytes -> {
              long end = 0;
              for (int rank : IntStream.range(0, 8).toArray()) {
                Slice part = Packs.part(bytes, 8, rank);
                assertThat(part.offset()).isEqualTo(end);
                assertThat(Packs.areWhole(part.size())).isTrue();
                end += part.size();
              }
              assertThat(end).isEqualTo(bytes);
            });
  }
}
