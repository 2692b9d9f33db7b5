package dev.tutti.host.job;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The place of a process in a job.
 *
 * @param rank the rank
 * @param size the number of ranks of the job, 1 to {@link #MAX_PROCESSES}
 * @param directory the directory where the processes meet; the same for all, and accessible only to
 *     their user
 * @param token the secret by which the processes recognise each other: 32 hexadecimal digits
 */
public record JobPlace(int rank, int size, Path directory, String token) {

  /** The largest number of ranks of a job, in all its processes. */
  public static final int MAX_RANKS = 512;

  /** The largest number of processes of one machine that share memory. */
  public static final int MAX_PROCESSES = 64;

  /** The environment variable of the rank; the others follow. */
  public static final String RANK = "TUTTI_RANK";

  public static final String SIZE = "TUTTI_RANKS";
  public static final String DIRECTORY = "TUTTI_JOB_DIR";
  public static final String TOKEN = "TUTTI_JOB_TOKEN";

  private static final int TOKEN_DIGITS = 32;

  /** Checks the ranges. */
  public JobPlace {
    if (size < 1 || size > MAX_PROCESSES || rank < 0 || rank >= size) {
      throw new TuttiException(
          ErrorCode.INVALID_RANK,
          "a job of processes has 1 to %d ranks, numbered from 0. Actual: rank %d of %d",
          MAX_PROCESSES,
          rank,
          size);
    }
    if (token.length() != TOKEN_DIGITS || !token.chars().allMatch(JobPlace::isHex)) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "the token of a job must be %d hexadecimal digits. Actual: %d characters",
          TOKEN_DIGITS,
          token.length());
    }
  }

  private static boolean isHex(int letter) {
    return Character.digit(letter, 16) >= 0;
  }

  /**
   * The place that the environment gives this process; null if it gives none.
   *
   * @param environment gives the value of a variable, or null
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} or {@link
   *     ErrorCode#INVALID_RANK} if some variables are missing or wrong
   */
  public static @Nullable JobPlace of(UnaryOperator<@Nullable String> environment) {
    String rank = environment.apply(RANK);
    if (rank == null) {
      return null;
    }
    return new JobPlace(
        number(RANK, rank),
        number(SIZE, required(environment, SIZE)),
        Path.of(required(environment, DIRECTORY)),
        required(environment, TOKEN));
  }

  /** The variables that give a process this place. */
  public Map<String, String> environment() {
    return Map.of(
        RANK, String.valueOf(rank),
        SIZE, String.valueOf(size),
        DIRECTORY, directory.toString(),
        TOKEN, token);
  }

  private static String required(UnaryOperator<@Nullable String> environment, String name) {
    String value = environment.apply(name);
    if (value == null) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "%s is set, so this process is a rank of a job, but %s is not; set both, or neither",
          RANK,
          name);
    }
    return value;
  }

  /**
   * The number in a variable.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if it is not a number
   */
  public static int number(String name, String value) {
    try {
      return Integer.parseInt(value);
    } catch (NumberFormatException e) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT, e, "%s must be a number. Actual: '%s'", name, value);
    }
  }

  /** Without the token, which must stay secret. */
  @Override
  public String toString() {
    return "rank " + rank + " of " + size + " in " + directory;
  }
}
