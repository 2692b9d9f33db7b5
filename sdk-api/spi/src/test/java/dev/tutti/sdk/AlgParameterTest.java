package dev.tutti.sdk;

import static dev.tutti.sdk.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AlgParameterTest {

  private static final AlgParameter<Long> SEGMENT =
      AlgParameter.integer("segment", "bytes per step", 4096, 1, 1L << 40);
  private static final AlgParameter<String> ORDER =
      AlgParameter.choice("order", "who goes first", "up", List.of("up", "down"));
  private static final AlgParameter<Boolean> FUSED = AlgParameter.flag("fused", "one pass", true);

  @Test
  void aParameterThatIsNotGivenHasItsDefault() {
    assertThat(SEGMENT.in(AlgOptions.none())).isEqualTo(4096);
    assertThat(ORDER.in(AlgOptions.none())).isEqualTo("up");
    assertThat(FUSED.in(AlgOptions.none())).isTrue();
  }

  @Test
  void samplesAreTheEndsOfTheRangeTheDefaultAndSomeBetween() {
    assertThat(SEGMENT.samples()).containsExactly(1L, 2L, 3L, 7L, 601L, 4096L, 1L << 40);
    assertThat(AlgParameter.integer("radix", "base", 2, 2, 4).samples())
        .containsExactly(2L, 3L, 4L);
    assertThat(AlgParameter.integer("one", "the only one", 5, 5, 5).samples()).containsExactly(5L);
    assertThat(AlgParameter.integer("any", "all", 0, Long.MIN_VALUE, Long.MAX_VALUE).samples())
        .startsWith(Long.MIN_VALUE, Long.MIN_VALUE + 1)
        .endsWith(0L, Long.MAX_VALUE);
    assertThat(ORDER.samples()).containsExactly("up", "down");
    assertThat(FUSED.samples()).containsExactly(true, false);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1",
    "' 512 ', 512",
    "4K, 4096",
    "4k, 4096",
    "4KiB, 4096",
    "4KB, 4000",
    "4kb, 4000",
    "1Gi, 1073741824",
    "1MB, 1000000",
    "2M, 2097152",
    "1G, 1073741824",
    "64B, 64"
  })
  void wholeNumbersTakeSuffixesOfPowersOf1024AndOf1000(String text, long value) {
    assertThat(SEGMENT.in(AlgOptions.none().with("segment", text))).isEqualTo(value);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "1.5", "1T", "K", "1 K", "8iB"})
  void whatIsNotAWholeNumberIsRefused(String text) {
    assertRefused(
        () -> SEGMENT.parse(text),
        ErrorCode.INVALID_ARGUMENT,
        "parameter 'segment' must be a whole number with an optional suffix K, M or G (powers of"
            + " 1024), or KB, MB or GB (of 1000). Actual: '"
            + text
            + "'");
  }

  @Test
  void aNumberOutOfRangeIsRefused() {
    assertRefused(
        () -> SEGMENT.parse("0"),
        ErrorCode.INVALID_ARGUMENT,
        "parameter 'segment' must be 1 to 1099511627776. Actual: 0");
    assertRefused(
        () -> SEGMENT.parse("-4K"),
        ErrorCode.INVALID_ARGUMENT,
        "parameter 'segment' must be 1 to 1099511627776. Actual: -4096");
  }

  @Test
  void aNumberThatOverflowsThroughItsSuffixIsRefused() {
    assertRefused(
        () -> SEGMENT.parse("999999999999999999G"),
        ErrorCode.INVALID_ARGUMENT,
        "parameter 'segment' is too large: 999999999999999999G");
    assertRefused(
        () -> SEGMENT.parse("9999999999999999999"),
        ErrorCode.INVALID_ARGUMENT,
        "parameter 'segment' is too large: 9999999999999999999");
  }

  @Test
  void aChoiceThatIsNotAmongTheNamesIsRefused() {
    assertThat(ORDER.parse("down")).isEqualTo("down");
    assertRefused(
        () -> ORDER.parse("dwon"),
        ErrorCode.UNKNOWN_NAME,
        "unknown value of parameter 'order': 'dwon'; did you mean 'down'? (known: up, down)");
  }

  @Test
  void aFlagIsTrueOrFalse() {
    assertThat(FUSED.parse("FALSE")).isFalse();
    assertThat(FUSED.parse("true")).isTrue();
    assertRefused(
        () -> FUSED.parse("yes"),
        ErrorCode.INVALID_ARGUMENT,
        "parameter 'fused' must be true or false. Actual: 'yes'");
  }

  @Test
  void rangesAreTextForPeople() {
    assertThat(SEGMENT.range()).isEqualTo("1 to 1099511627776");
    assertThat(ORDER.range()).isEqualTo("up | down");
    assertThat(FUSED).hasToString("fused = true (true | false): one pass");
  }

  @Test
  void aDefaultOutOfRangeIsRefused() {
    assertRefused(
        () -> AlgParameter.integer("radix", "fan-out", 1, 2, 8),
        ErrorCode.INVALID_ARGUMENT,
        "parameter 'radix' needs min <= default <= max. Actual: min=2, default=1, max=8");
    assertRefused(
        () -> AlgParameter.choice("order", "", "left", List.of("up", "down")),
        ErrorCode.INVALID_ARGUMENT,
        "parameter 'order' needs its default among the choices. Actual: default=left, choices=[up,"
            + " down]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Radix", "2d", "-x", "a_b"})
  void aNameMustBeLowerCaseWithHyphens(String name) {
    assertRefused(
        () -> AlgParameter.flag(name, "", false),
        ErrorCode.INVALID_ARGUMENT,
        "a parameter name must match [a-z][a-z0-9-]*. Actual: '" + name + "'");
  }

  @Test
  void optionsAreSortedAndEqualByValue() {
    AlgOptions options = AlgOptions.none().with("b", 2).with("a", true);

    assertThat(options.values())
        .containsExactly(java.util.Map.entry("a", "true"), java.util.Map.entry("b", "2"));
    assertThat(options).isEqualTo(AlgOptions.none().with("a", "true").with("b", "2"));
    assertThat(AlgOptions.none().values()).isEmpty();
  }

  @Test
  void optionsThatNoParameterTakesAreRefused() {
    List<AlgParameter<?>> known = List.of(SEGMENT, ORDER, FUSED);

    AlgOptions.none().with("segment", "1M").check(known);
    assertRefused(
        () -> AlgOptions.none().with("segmnt", "1M").check(known),
        ErrorCode.UNKNOWN_NAME,
        "unknown algorithm parameter 'segmnt'; did you mean 'segment'? (known: segment, order,"
            + " fused)");
    assertRefused(
        () -> AlgOptions.none().with("x", "1").check(List.of()),
        ErrorCode.UNKNOWN_NAME,
        "unknown algorithm parameter 'x' (none is known)");
  }

  @Test
  void optionsOutOfRangeAreRefused() {
    assertRefused(
        () -> AlgOptions.none().with("fused", "maybe").check(List.of(SEGMENT, FUSED)),
        ErrorCode.INVALID_ARGUMENT,
        "parameter 'fused' must be true or false. Actual: 'maybe'");
  }
}
