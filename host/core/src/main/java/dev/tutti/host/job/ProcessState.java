package dev.tutti.host.job;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** The state of a process in the operating system. */
public enum ProcessState {
  /** It is running or waiting. */
  ALIVE("", true),
  /** A signal has stopped it, or a debugger. */
  STOPPED(", stopped by a signal or a debugger", true),
  /** It has ended. */
  ENDED(", which has ended", false);

  private final String words;
  private final boolean isAlive;

  ProcessState(String words, boolean isAlive) {
    this.words = words;
    this.isAlive = isAlive;
  }

  public boolean isAlive() {
    return isAlive;
  }

  /** For example {@code "process 12, stopped by a signal or a debugger"}. */
  public String describe(long process) {
    return "process " + process + words;
  }

  /** The state of a process of this machine. */
  public static ProcessState of(long process) {
    return at(Path.of("/proc/" + process + "/stat"));
  }

  /** The state that a file of the system shows, which exists as long as the process. */
  static ProcessState at(Path file) {
    try {
      byte[] line = Files.readAllBytes(file);
      String text = new String(line, StandardCharsets.ISO_8859_1);
      // The name, in parentheses, may contain any character.
      char state = text.charAt(text.lastIndexOf(')') + 2);
      return switch (state) {
        case 'T', 't' -> STOPPED;
        case 'Z', 'X' -> ENDED;
        default -> ALIVE;
      };
    } catch (NoSuchFileException e) {
      return ENDED;
    } catch (FileSystemException e) {
      // It cannot be opened, for example because too many files are open, so nothing is known.
      return ALIVE;
    } catch (IOException | IndexOutOfBoundsException e) {
      // The process has ended since the file was opened.
      return ENDED;
    }
  }
}
