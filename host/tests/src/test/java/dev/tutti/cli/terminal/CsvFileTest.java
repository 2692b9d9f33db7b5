package dev.tutti.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CsvFileTest {

  @TempDir private Path directory;

  @Test
  void headingsAreAllKeysAndWhatALineLacksIsEmpty() throws IOException {
    Path file = directory.resolve("rows.csv");
    CsvFile csv = new CsvFile(file);
    csv.add(new JsonLine().put("name", "ring").put("ranks", 4).put("right", true));
    csv.add(
        new JsonLine()
            .put("name", (String) null)
            .put("micros", 0.12345678)
            .put("hop", Double.NaN)
            .putTexts("list", List.of("left out")));
    assertThat(file).doesNotExist();

    csv.write();

    assertThat(Files.readString(file))
        .isEqualTo("name,ranks,right,micros,hop\nring,4,true,,\n,,,0.123457,\n");
  }

  @Test
  void separatorsQuotesAndEndsOfLinesAreQuoted() throws IOException {
    Path file = directory.resolve("rows.csv");
    CsvFile csv = new CsvFile(file);
    csv.add(new JsonLine().put("a,b", "say \"ring\"").put("c", "1\n2").put("d", "plain text"));
    csv.write();

    assertThat(Files.readString(file))
        .isEqualTo("\"a,b\",c,d\n\"say \"\"ring\"\"\",\"1\n2\",plain text\n");
  }

  @Test
  void whatIsThereStaysUnlessSomethingWasMeasured() throws IOException {
    Path file = Files.writeString(directory.resolve("rows.csv"), "before");
    new CsvFile(file).write();
    new CsvFile(null).write();

    assertThat(file).hasContent("before");
  }

  @Test
  void aFileThatCouldNotBeWrittenIsRefusedAtOnce() {
    assertThatThrownBy(() -> new CsvFile(directory))
        .hasMessage("cannot write the CSV file " + directory + ": it is a directory");
  }
}
