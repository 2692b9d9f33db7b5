package dev.tutti.cli.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.cli.options.OperationName;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MeasurementFileTest {

  @TempDir private Path directory;

  private Path file(String text) throws IOException {
    return Files.writeString(directory.resolve("other.csv"), text);
  }

  @Test
  void timesOfAnotherProgramAreReadByTheirHeadings() throws IOException {
    Path file =
        file(
            """
            operation,ranks,bytes,iterations,min_us,median_us,p95_us
            allreduce,2,8,100,0.25,0.5,2
            all_reduce,4,"4096",100,1,2.5,3

            """);

    assertThat(MeasurementFile.read("Open MPI", file))
        .containsExactly(
            new ChartPoint(OperationName.of("allreduce"), 2, false, "Open MPI", 8, 0.5, 0.25, 2, 0),
            new ChartPoint(
                OperationName.of("allreduce"), 4, false, "Open MPI", 4096, 2.5, 1, 3, 0));
  }

  @Test
  void rowsOfOurOwnAreReadToo() throws IOException {
    Path file =
        file(
            "medianMicros,bytes,ranks,operation,inPlace,minMicros,p95Micros\r\n7.5,16,2,broadcast,true,7,9\r\n");

    assertThat(MeasurementFile.read("before", file))
        .containsExactly(
            new ChartPoint(OperationName.of("broadcast"), 2, true, "before", 16, 7.5, 7, 9, 0));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          operation,ranks|has no column medianMicros
          operation,ranks,bytes,median_us/allreduce,2,8|line 2 of .* has no median_us
          operation,ranks,bytes,median_us/allreduce,2,x,1|bytes in line 2 of .* must be a whole number of 0 or more. Actual: 'x'
          operation,ranks,bytes,median_us/allreduce,2,8,-1|median_us in line 2 of .* must be a number of 0 or more. Actual: '-1'
          operation,ranks,bytes,median_us/allreduc,2,8,1|operation
          """)
  void whatIsWrongIsSaidWithItsPlace(String text, String message) throws IOException {
    Path file = file(text.replace('/', '\n') + (text.contains("/") ? "" : "\nallreduce,2"));

    assertThatThrownBy(() -> MeasurementFile.read("other", file))
        .isInstanceOf(TuttiException.class)
        .message()
        .containsPattern(message);
  }

  @Test
  void aFileThatIsNotThereOrEmptyIsRefused() throws IOException {
    assertThatThrownBy(() -> MeasurementFile.read("other", directory.resolve("missing.csv")))
        .isInstanceOf(TuttiException.class)
        .hasMessageContaining("there is no such file");
    Path empty = file("\n");
    assertThatThrownBy(() -> MeasurementFile.read("other", empty))
        .isInstanceOf(TuttiException.class)
        .hasMessageContaining("is empty");
  }
}
