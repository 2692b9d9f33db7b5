package dev.tutti.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests wait for a condition with a deadline, and never for a fixed time. The tests of the host use
 * {@link Await}. If a thread waits interruptibly, the deadline is the one that the build gives to
 * every test.
 */
final class WaitsInTestsTest {

  private static final Path ROOT = Path.of("..", "..");

  private static final Pattern SLEEP =
      Pattern.compile(
          "(Thread|TimeUnit\\.[A-Z]+|[A-Z]+SECONDS)\\.sleep\\(|park(Nanos|Until)\\(\\d|LockSupport\\.park(Nanos|Until)\\(");

  private static final Pattern SPIN = Pattern.compile("Thread\\.(onSpinWait|yield)\\(\\)");

  /** Polls with a deadline, or takes a moment at random because any must do. */
  private static final Set<String> SLEEPING =
      Set.of("Await", "TickingClock", "Tutti", "Arenas", "Jobs", "KilledHosts", "Ranks", "Soak");

  /**
   * Algorithms that never end, and the code that ends them; the clock whose sleeps return at once;
   * code that uses processor time; and code that polls with a deadline.
   */
  private static final Set<String> SPINNING =
      Set.of(
          "Await",
          "BadInputTest",
          "CallReportTest",
          "FallbackTest",
          "GateSamples",
          "GateTest",
          "IsolatedExaminationTest",
          "LinkCheckTest",
          "MpiProcess",
          "PlannerTest",
          "RankWorkersTest",
          "ReportTest",
          "Soak",
          "StarBroadcast",
          "ThreadSample",
          "TickingClock",
          "VerifyAlgorithms");

  @TempDir private Path directory;

  @Test
  void noTestLetsTimePass() throws IOException {
    List<Path> files = testFiles(ROOT);

    assertThat(files).hasSizeGreaterThan(400);
    assertThat(filesWith(SLEEP, files)).isEqualTo(new TreeSet<>(SLEEPING));
  }

  @Test
  void noTestSpinsWithoutADeadline() throws IOException {
    assertThat(filesWith(SPIN, testFiles(ROOT))).isEqualTo(new TreeSet<>(SPINNING));
  }

  @Test
  void aTestThatSleepsOrSpinsIsNoticed() throws IOException {
    Path tests = Files.createDirectories(directory.resolve("host/tests/src/test/java"));
    List<String> sleeps =
        List.of(
            "Thread.sleep(60);",
            "TimeUnit.SECONDS.sleep(1);",
            "MILLISECONDS.sleep(5);",
            "LockSupport.parkNanos(1_000);",
            "parkNanos(1_000);");
    for (int each = 0; each < sleeps.size(); each++) {
      Files.writeString(tests.resolve("S" + each + ".java"), sleeps.get(each));
    }
    Files.writeString(tests.resolve("Spins.java"), "while (true) { Thread.onSpinWait(); }");
    Files.writeString(tests.resolve("Parks.java"), "LockSupport.park(); clock.sleep(1);");

    List<Path> files = testFiles(directory);
    assertThat(filesWith(SLEEP, files)).containsExactly("S0", "S1", "S2", "S3", "S4");
    assertThat(filesWith(SPIN, files)).containsExactly("Spins");
  }

  private static Set<String> filesWith(Pattern pattern, List<Path> files) throws IOException {
    Set<String> found = new TreeSet<>();
    for (Path file : files) {
      String name = file.getFileName().toString().replace(".java", "");
      boolean isRule = name.equals("WaitsInTestsTest") || name.equals("ArchitectureTest");
      if (!isRule && pattern.matcher(Files.readString(file)).find()) {
        found.add(name);
      }
    }
    return found;
  }

  /** The Java files of the tests of all modules. */
  private static List<Path> testFiles(Path root) throws IOException {
    List<Path> files = new ArrayList<>();
    try (Stream<Path> modules = Files.walk(root, 2)) {
      for (Path module : modules.sorted().toList()) {
        Path tests = module.resolve("src/test/java");
        if (Files.isDirectory(tests)) {
          files.addAll(javaFiles(tests));
        }
      }
    }
    return files;
  }

  private static List<Path> javaFiles(Path tests) throws IOException {
    try (Stream<Path> files = Files.walk(tests)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList();
    }
  }
}
