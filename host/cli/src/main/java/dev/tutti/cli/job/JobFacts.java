package dev.tutti.cli.job;

import dev.tutti.cli.terminal.JsonLine;
import dev.tutti.plugin.file.BoundedFile;
import dev.tutti.plugin.json.JsonFields;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The facts about a job, in a file of its directory. A launcher of Tutti writes them once it has
 * started all processes. If MPI connects the processes, each has its own directory and writes only
 * its own facts.
 *
 * @param launcher the launcher's process on this machine
 * @param command the command of the processes, in words; empty if it is not known
 * @param start when the job began
 * @param processes the process of each rank; if MPI connects them, the process with this directory
 * @param isMpi whether MPI connects the processes, which may be on any machines
 */
public record JobFacts(
    long launcher, String command, Instant start, List<Long> processes, boolean isMpi) {

  private static final String FILE = "job.json";
  private static final int MAX_BYTES = 1 << 20;

  private static final String LAUNCHER = "launcher";
  private static final String COMMAND = "command";
  private static final String STARTED = "startedAt";
  private static final String PROCESSES = "processes";
  private static final String MPI = "mpi";

  /** Takes an immutable copy. */
  public JobFacts {
    processes = List.copyOf(processes);
  }

  /** Writes the facts into the directory of the job. */
  public void write(Path directory) throws IOException {
    JsonLine line =
        new JsonLine()
            .put(LAUNCHER, launcher)
            .put(COMMAND, command)
            .put(STARTED, start.toString())
            .putTexts(PROCESSES, processes.stream().map(String::valueOf).toList())
            .put(MPI, isMpi);
    Path draft = Files.writeString(directory.resolve(FILE + ".new"), line + "\n");
    Files.move(draft, directory.resolve(FILE), StandardCopyOption.ATOMIC_MOVE);
  }

  /** Reads the facts; null if there are none yet, or none that can be read. */
  static @Nullable JobFacts read(Path directory) {
    try {
      JsonFields fields =
          JsonFields.read(
              BoundedFile.read(directory.resolve(FILE), MAX_BYTES),
              FILE,
              ErrorCode.HOST_UNREACHABLE);
      List<Long> processes = new ArrayList<>();
      fields.strings(PROCESSES).forEach(each -> processes.add(Long.valueOf(each)));
      return new JobFacts(
          fields.longNumber(LAUNCHER),
          fields.text(COMMAND),
          Instant.parse(fields.text(STARTED)),
          processes,
          fields.flag(MPI));
    } catch (IOException | TuttiException | DateTimeException | NumberFormatException e) {
      return null;
    }
  }
}
