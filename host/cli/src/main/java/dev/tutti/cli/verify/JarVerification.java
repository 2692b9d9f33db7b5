package dev.tutti.cli.verify;

import dev.tutti.cli.catalogue.AlgorithmCatalogue;
import dev.tutti.cli.catalogue.AlgorithmWithPeer;
import dev.tutti.cli.terminal.ProgressLine;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.plugin.process.JarPlans;
import dev.tutti.verifier.purity.OtherProcesses;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Verifies one jar after another as {@code tutti verify} does without options. The processes that
 * plan a second time stay from one jar to the next, so every jar needs its own path. Not
 * thread-safe.
 */
public final class JarVerification implements AutoCloseable {

  /**
   * The other processes keep the classes of every jar, so they are replaced after this number of
   * jars.
   */
  private static final int MOST_JARS = 50;

  private final Terminal terminal;
  private final VerifyDepth depth = new VerifyDepth();
  private final VerifyCases cases = new VerifyCases();
  private OtherProcesses processes;
  private int jars;
  private String lastNote = "";

  /** Prepares the verification; it starts no process. */
  public JarVerification(Terminal terminal) {
    this.terminal = terminal;
    this.processes = JarPlans.processes(depth.planningLimit());
  }

  /**
   * The verdict on some algorithms.
   *
   * @param sentences the verdict on each algorithm, with its name
   * @param clean the algorithms that have been checked and break no rule
   * @param problems the number of the plugin's problems
   * @param exitCode the exit code of {@code tutti verify}
   */
  public record Verdict(
      List<String> sentences, List<AlgorithmWithPeer> clean, int problems, int exitCode) {

    /** Takes immutable copies. */
    public Verdict {
      sentences = List.copyOf(sentences);
      clean = List.copyOf(clean);
    }
  }

  /** Loads a jar, within the limits of a verification; the caller closes it. */
  public AlgorithmCatalogue load(Path jar) {
    return AlgorithmCatalogue.ofPaths(List.of(jar), depth.planningLimit());
  }

  /**
   * Verifies algorithms of a jar, and prints their failures.
   *
   * @param catalogue the jar
   * @param subjects the algorithms
   * @param shown the path of the jar in commands that check a case again
   * @param isStopped whether the verdict is no longer needed; several threads call it. If so,
   *     nothing more is printed, and the verdict has no meaning
   */
  public Verdict verify(
      AlgorithmCatalogue catalogue,
      List<AlgorithmWithPeer> subjects,
      Path shown,
      BooleanSupplier isStopped) {
    replaceProcesses();
    FailureText text =
        new FailureText(
            terminal,
            new VerifyReplay(List.of(shown), List.of(), depth.arguments(), catalogue.algorithms()));
    List<VerifyResult> results = new ArrayList<>();
    try (ProgressLine progress = new ProgressLine(terminal, true);
        VerifyRun run =
            new VerifyRun(
                depth,
                VerifyCommand.MAX_FAILURES,
                progress,
                processes,
                this::oneAtATime,
                isStopped)) {
      for (AlgorithmWithPeer subject : subjects) {
        VerifyResult result =
            run.run(
                new CheckedCases(
                    subject,
                    subject.lacksPartner() ? List.of() : cases.of(subject, depth.planningLimit())));
        if (isStopped.getAsBoolean()) {
          break;
        }
        text.print(result);
        results.add(result);
      }
    }
    noteOnProcesses();
    VerifyVerdict verdict =
        new VerifyVerdict(
            results,
            catalogue.plugins().problems(),
            Duration.ZERO,
            results.size(),
            results.stream().mapToLong(VerifyResult::cases).sum());
    return new Verdict(
        VerifyWords.each(results),
        results.stream().filter(VerifyResult::isClean).map(VerifyResult::subject).toList(),
        verdict.problems().size(),
        verdict.exitCode());
  }

  private synchronized void oneAtATime(Runnable outcome) {
    outcome.run();
  }

  private void replaceProcesses() {
    jars++;
    if (jars % MOST_JARS == 0) {
      processes.close();
      processes = JarPlans.processes(depth.planningLimit());
    }
  }

  /** Prints once why plans are not compared. */
  private void noteOnProcesses() {
    String note = processes.note();
    if (!note.isEmpty() && !note.equals(lastNote)) {
      terminal.err().println("tutti: plans were not compared with other processes: " + note);
    }
    lastNote = note;
  }

  @Override
  public void close() {
    processes.close();
  }
}
