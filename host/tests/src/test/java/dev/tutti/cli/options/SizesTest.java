package dev.tutti.cli.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import picocli.CommandLine.TypeConversionException;

class SizesTest {

  @Test
  void suffixesArePowersOf1024() {
    assertThat(Sizes.parse("0")).isZero();
    assertThat(Sizes.parse("17")).isEqualTo(17);
    assertThat(Sizes.parse("4K")).isEqualTo(4096);
    assertThat(Sizes.parse("4 KiB")).isEqualTo(4096);
    assertThat(Sizes.parse("4Ki")).isEqualTo(4096);
    assertThat(Sizes.parse("2m")).isEqualTo(2 << 20);
    assertThat(Sizes.parse("3GiB")).isEqualTo(3L << 30);
    assertThat(Sizes.parse("-5")).isEqualTo(-5);
  }

  @Test
  void unitsOfBytesArePowersOf1000() {
    assertThat(Sizes.parse("17B")).isEqualTo(17);
    assertThat(Sizes.parse("4KB")).isEqualTo(4000);
    assertThat(Sizes.parse("1 mb")).isEqualTo(1_000_000);
    assertThat(Sizes.parse("3GB")).isEqualTo(3_000_000_000L);
  }

  @Test
  void whatIsNoSizeIsRefused() {
    for (String text : new String[] {"", "K", "1.5K", "12Q", "0x10", "1 2", "8i", "8iB", "8 i"}) {
      assertThatThrownBy(() -> Sizes.parse(text))
          .isInstanceOf(TypeConversionException.class)
          .hasMessage(
              "'%s' is not a whole number with an optional suffix K, M or G (powers of 1024), or KB,"
                  + " MB or GB (of 1000)",
              text);
    }
  }

  @Test
  void whatDoesNotFitIsRefused() {
    for (String text : new String[] {"9223372036854775808", "9007199254740992K"}) {
      assertThatThrownBy(() -> Sizes.parse(text))
          .isInstanceOf(TypeConversionException.class)
          .hasMessage("'" + text + "' is too large; the largest number is 9223372036854775807");
    }
  }

  @Test
  void peopleReadTheLargestUnitThatFits() {
    assertThat(Sizes.bytes(0)).isEqualTo("0 B");
    assertThat(Sizes.bytes(1023)).isEqualTo("1023 B");
    assertThat(Sizes.bytes(4096)).isEqualTo("4 KiB");
    assertThat(Sizes.bytes(4004)).isEqualTo("3.91 KiB");
    assertThat(Sizes.bytes(64 << 20)).isEqualTo("64 MiB");
    assertThat(Sizes.bytes((3L << 30) + (1 << 29))).isEqualTo("3.50 GiB");
  }
}
