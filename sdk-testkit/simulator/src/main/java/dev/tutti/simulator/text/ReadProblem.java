package dev.tutti.simulator.text;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** The reason why a file that a user named could not be read, and what to do about it. */
public final class ReadProblem {

  private ReadProblem() {}

  /** The reason of a failure, as words that follow a colon. */
  public static String of(Path file, IOException failure) {
    if (Files.isDirectory(file)) {
      return "it is a directory; give a file";
    }
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      return "it is a pipe, a socket or a device; give a file";
    }
    return switch (failure) {
      case NoSuchFileException _ -> "there is no such file; check the path";
      case AccessDeniedException _ -> "you may not read it; check its permissions";
      case CharacterCodingException _ -> "it is not text in UTF-8";
      case FileSystemException e when e.getReason() != null -> e.getReason();
      default -> String.valueOf(failure.getMessage());
    };
  }
}
