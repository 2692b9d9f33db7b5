package dev.tutti.cli.job;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds jobs.
 *
 * @param directory the directory that relative paths start from
 * @param live gives the directories of all running jobs
 */
public record JobSearch(Path directory, Supplier<List<Path>> live) {

  /**
   * One job.
   *
   * @param name its directory, or the number of one of its processes
   * @throws TuttiException with {@link ErrorCode#HOST_UNREACHABLE} if there is none
   */
  public JobReport named(String name) {
    boolean isProcess = !name.isEmpty() && name.chars().allMatch(Character::isDigit);
    if (!isProcess) {
      Path path = directory.resolve(name);
      if (Files.isDirectory(path)) {
        return JobReport.of(path);
      }
      throw unknown(name, live.get().stream().map(Path::toString));
    }
    List<JobReport> all = JobReport.ofAll(live.get());
    for (JobReport each : all) {
      if (each.has(Long.parseLong(name))) {
        return each;
      }
    }
    throw unknown(name, all.stream().map(JobReport::title));
  }

  private static TuttiException unknown(String name, Stream<String> known) {
    String all = known.collect(Collectors.joining(", "));
    return new TuttiException(
        ErrorCode.HOST_UNREACHABLE,
        "no job '%s' is running (known: %s); name its directory, or a process of it",
        name,
        all.isEmpty() ? "none" : all);
  }
}
