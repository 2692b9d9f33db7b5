package dev.tutti.cli.launch;

import dev.tutti.cli.job.RankNumbers;
import dev.tutti.cli.terminal.Terminal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Prints the output of ranks' processes, line by line, with the names of their ranks. From its
 * first error line on, the output of a process is kept until all processes have ended, because most
 * errors are the same on all ranks. Then each error is printed once, with the names of all ranks
 * that have printed it. Thread-safe.
 */
final class RankOutput {

  /** The beginning of an error line. */
  private static final String ERROR = "tutti: [";

  /** Each JVM prints this about the vector kernels; the launcher's JVM has printed it once. */
  private static final String NOISE = "WARNING: Using incubator modules: jdk.incubator.vector";

  /** The largest number of kept lines; further output after an error is printed at once. */
  private static final int MOST_LINES = 1000;

  private final Terminal terminal;

  /** The errors of ranks, with the lines after them. */
  private final Map<Integer, List<String>> kept = new TreeMap<>();

  RankOutput(Terminal terminal) {
    this.terminal = terminal;
  }

  private static String named(String ranks, String line) {
    return "[" + ranks + "] " + line;
  }

  /** Prints a line of a rank's results; those of the first rank are the results of the command. */
  synchronized void out(int rank, String line) {
    terminal.out().println(rank == 0 ? line : named(RankNumbers.of(List.of(rank)), line));
  }

  /** Prints a line of a rank's problems or progress. */
  synchronized void err(int rank, String line) {
    if (rank == 0 && terminal.showsProgress()) {
      ofWatched(line);
    } else {
      problem(rank, line);
    }
  }

  /** Passes the progress of the first rank on, and its other lines. */
  private void ofWatched(String line) {
    Optional<String> progress = Terminal.progressIn(line);
    String other = Terminal.withoutErasure(line);
    if (progress.isPresent()) {
      terminal.showProgress(progress.get());
    } else if (!other.isEmpty()) {
      problem(0, other);
    }
  }

  private void problem(int rank, String line) {
    if (line.equals(NOISE)) {
      return;
    }
    if (line.startsWith(ERROR) || kept.containsKey(rank)) {
      List<String> lines = kept.computeIfAbsent(rank, key -> new ArrayList<>());
      lines.add(line);
      if (lines.size() < MOST_LINES) {
        return;
      }
      kept.remove(rank);
      print(List.of(rank), lines);
      return;
    }
    print(List.of(rank), List.of(line));
  }

  /** Prints the errors, each once. */
  synchronized void flush() {
    Map<List<String>, List<Integer>> ranks = new LinkedHashMap<>();
    kept.forEach((rank, lines) -> ranks.computeIfAbsent(lines, key -> new ArrayList<>()).add(rank));
    kept.clear();
    ranks.forEach((lines, same) -> print(same, lines));
  }

  private void print(List<Integer> ranks, List<String> lines) {
    String names = RankNumbers.of(ranks);
    lines.forEach(line -> terminal.err().println(named(names, line)));
  }
}
