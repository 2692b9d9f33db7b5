package dev.tutti.cli.terminal;

import dev.tutti.sdk.ErrorCode;
import java.util.LinkedHashMap;
import java.util.Map;

/** The exit codes of all commands. */
public final class ExitCode {

  public static final int OK = 0;
  public static final int FAILED = 1;
  public static final int BAD_INPUT = 2;
  public static final int ENVIRONMENT = 3;

  /** Only for commands that compile. */
  public static final int NOT_COMPILED = 4;

  private ExitCode() {}

  /** Each code with its meaning, for help texts. */
  public static Map<String, String> meanings() {
    Map<String, String> meanings = new LinkedHashMap<>();
    meanings.put(" 0", "Done, and every result that was verified is right.");
    meanings.put(
        " 1",
        "A wrong result, a failed run, a passed deadline, or an algorithm that breaks a rule.");
    meanings.put(" 2", "Bad input: an unknown name, a wrong value, or no algorithm supports it.");
    meanings.put(
        " 3",
        "The environment: no JDK 25, plugins directory missing, no host answers, out of memory, disk full.");
    meanings.put(" 4", "The sources of a plugin do not compile.");
    return meanings;
  }

  public static int of(ErrorCode code) {
    return switch (code) {
      case INVALID_ARGUMENT,
          UNKNOWN_NAME,
          UNSUPPORTED_TYPE,
          INVALID_RANK,
          INVALID_COUNT,
          INVALID_RULES,
          UNSUPPORTED,
          PLUGIN_DUPLICATE ->
          BAD_INPUT;
      case OUT_OF_MEMORY,
          OUTPUT_UNWRITABLE,
          PLUGIN_UNREADABLE,
          PLUGIN_MANIFEST,
          PLUGIN_SPI_VERSION,
          PLUGIN_PROVIDER,
          PLUGIN_SHADOWS_SPI,
          PLUGIN_LINK,
          PLUGIN_SIGNATURE,
          PLUGIN_STATE,
          PLUGIN_REMOVED,
          HOST_UNREACHABLE ->
          ENVIRONMENT;
      default -> FAILED;
    };
  }
}
