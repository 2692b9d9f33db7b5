package dev.tutti.host.pool.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page about choosing shows rules that can be read. */
final class ChoosingDocsTest {

  private static final Path PAGE = Path.of("..", "..", "docs", "choosing.md");

  @TempDir private Path directory;

  private static List<String> found(String pattern) throws IOException {
    Matcher matcher = Pattern.compile(pattern, Pattern.DOTALL).matcher(Files.readString(PAGE));
    return matcher.results().map(result -> result.group(1)).toList();
  }

  @Test
  void itsFilesOfRulesAreRead() throws IOException {
    List<String> files = found("```json\n(.*?)```");
    assertThat(files).isNotEmpty();
    for (String json : files) {
      Rules rules = Rules.read(Files.writeString(directory.resolve("rules.json"), json));
      assertThat(rules.rules()).isNotEmpty();
    }
  }

  @Test
  void itsRulesOnOneLineAreRead() throws IOException {
    List<String> lines = found("TUTTI_RULES='([^']*)'");
    assertThat(lines).isNotEmpty();
    for (String line : lines) {
      assertThat(Rules.parse(line, "docs").rules()).isNotEmpty();
    }
  }
}
