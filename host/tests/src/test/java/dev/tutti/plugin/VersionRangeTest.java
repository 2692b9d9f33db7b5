package dev.tutti.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.Errors;
import dev.tutti.sdk.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class VersionRangeTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[0.1,1.0)|0.1.0|true",
        "[0.1,1.0)|0.9.9|true",
        "[0.1,1.0)|1.0.0|false",
        "[0.1,1.0)|0.0.9|false",
        "(0.1,1.0]|0.1|false",
        "(0.1,1.0]|1.0|true",
        "[0.1,)|99|true",
        "(,1.0)|0.0.1|true",
        "[1.2.3,1.2.3]|1.2.3|true",
        "[1.2.3,1.2.3]|1.2.3-rc1|true",
        "[ 0.1 , 1.0 )|0.10.0|true",
      })
  void containsWhatItSays(String range, String version, boolean isContained) {
    assertThat(VersionRange.parse(range).contains(Version.parse(version))).isEqualTo(isContained);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1.0", "[1.0]", "[1,2,3]", "[a,b]", "[2,1]", "(1,1)", "[1.0,2.0"})
  void refusesWhatIsNoRangeOrEmpty(String text) {
    Errors.message(ErrorCode.INVALID_ARGUMENT, () -> VersionRange.parse(text));
  }

  @Test
  void theHostProvidesTheVersionOfThisBuild() throws IOException {
    assertThat(Files.readString(Path.of("pom.xml"))).contains("<version>" + SpiVersion.CURRENT);
  }
}
