package dev.tutti.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Compares the SPI with the last landed version: everything that a compiled plugin can name must
 * still exist, and a plugin that is compiled again must not need new methods. The file {@code
 * accepted-changes.txt} lists the exceptions, with reasons. With the system property {@code
 * tutti.api.land} set, the current API becomes the landed one.
 */
class ApiPromiseTest {

  private static final Path DIRECTORY = Path.of("src/test/resources/api");
  private static final Path LANDED = DIRECTORY.resolve("landed.txt");
  private static final Path ACCEPTED = DIRECTORY.resolve("accepted-changes.txt");

  private static Set<String> lines(Path file) throws IOException {
    try (Stream<String> lines = Files.lines(file)) {
      return lines
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  @Test
  void nothingIsBroken() throws IOException, URISyntaxException {
    SortedSet<String> present = ApiList.of();
    if (System.getProperty("tutti.api.land") != null) {
      Files.write(LANDED, present);
    }
    Set<String> accepted = lines(ACCEPTED);
    Set<String> broken = broken(lines(LANDED), present);

    assertThat(broken)
        .as("changes that break plugins; take them back, or accept them in %s", ACCEPTED)
        .isSubsetOf(accepted);
    assertThat(accepted)
        .as("accepted changes that are none; remove them from %s", ACCEPTED)
        .isSubsetOf(broken);
  }

  /** The removed parts, and the parts that plugins must newly implement. */
  private static Set<String> broken(Set<String> landed, Set<String> present) {
    Set<String> broken = new TreeSet<>(Comparator.naturalOrder());
    landed.stream()
        .filter(line -> !present.contains(line))
        .forEach(line -> broken.add("gone: " + line));
    Set<String> types =
        landed.stream()
            .filter(line -> line.contains("class ") && !line.startsWith("final "))
            .map(line -> line.substring(line.lastIndexOf(' ') + 1))
            .collect(Collectors.toSet());
    present.stream()
        .filter(line -> !landed.contains(line) && line.contains(" has abstract "))
        .filter(line -> types.contains(line.substring(0, line.indexOf(' '))))
        .forEach(line -> broken.add("must be implemented: " + line));
    return broken;
  }

  @Test
  void aBreakIsNoticed() {
    List<String> landed =
        List.of("class a.B", "a.B has int x()", "enum a.E", "a.E constant ONE", "a.S permits a.T");
    Set<String> present =
        Set.of("class a.B", "a.B has long x()", "enum a.E", "a.B has abstract int y()");
    assertThat(broken(new TreeSet<>(landed), present))
        .containsExactly(
            "gone: a.B has int x()",
            "gone: a.E constant ONE",
            "gone: a.S permits a.T",
            "must be implemented: a.B has abstract int y()");
    assertThat(broken(Set.of("enum a.E"), Set.of("enum a.E", "a.E constant TWO"))).isEmpty();
  }
}
