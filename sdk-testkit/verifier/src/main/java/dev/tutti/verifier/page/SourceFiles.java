package dev.tutti.verifier.page;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds the lines that actions name in source files. A line names its file without the package. If
 * several files have that name, none is found, because a wrong excerpt would be worse than none.
 * Not thread-safe.
 */
public final class SourceFiles {

  /** The form of a line: {@code StarBroadcast.kernelRun(StarBroadcast.java:24)}. */
  private static final Pattern LINE =
      Pattern.compile("[^()]*\\(([^():/\\\\]+\\.java):(\\d{1,9})\\)");

  /**
   * The most files to read from a directory, so that a home directory given by mistake does not
   * take minutes.
   */
  private static final long MAX_FILES = 50_000;

  private static final int AROUND = 3;

  private final Map<String, List<Path>> files = new HashMap<>();
  private final Map<Path, List<String>> lines = new HashMap<>();

  /**
   * A piece of a file.
   *
   * @param file its name
   * @param first the number of the first line, from 1
   * @param line the number of the line that was asked for
   * @param lines the lines
   */
  record Excerpt(Path file, int first, int line, List<String> lines) {}

  /**
   * A line of a file.
   *
   * @param line its number, from 1
   */
  public record Place(Path file, int line) {}

  /** Lists the files below the given directories. Skips a path that is not a directory. */
  public SourceFiles(List<Path> directories) {
    for (Path directory : directories) {
      if (Files.isDirectory(directory)) {
        add(directory);
      }
    }
  }

  private void add(Path directory) {
    try (Stream<Path> all = Files.walk(directory)) {
      all.limit(MAX_FILES)
          .filter(file -> file.toString().endsWith(".java"))
          .forEach(
              file ->
                  files
                      .computeIfAbsent(file.getFileName().toString(), name -> new ArrayList<>())
                      .add(file));
    } catch (IOException | UncheckedIOException e) {
      // A file that cannot be read has no excerpts; the report still names the line.
      return;
    }
  }

  /** The place of a line that an action names; empty if it is not found or ambiguous. */
  public Optional<Place> locate(String source) {
    return find(source).map(excerpt -> new Place(excerpt.file(), excerpt.line()));
  }

  /** The place where a class is declared; empty if its file is not found or ambiguous. */
  public Optional<Place> locate(Class<?> type) {
    Class<?> outermost = type;
    while (outermost.getEnclosingClass() != null) {
      outermost = outermost.getEnclosingClass();
    }
    List<Path> found = files.getOrDefault(outermost.getSimpleName() + ".java", List.of());
    if (found.size() != 1) {
      return Optional.empty();
    }
    Pattern declaration =
        Pattern.compile("\\bclass " + Pattern.quote(type.getSimpleName()) + "\\b");
    List<String> all = lines.computeIfAbsent(found.getFirst(), SourceFiles::read);
    for (int i = 0; i < all.size(); i++) {
      if (declaration.matcher(all.get(i)).find()) {
        return Optional.of(new Place(found.getFirst(), i + 1));
      }
    }
    return Optional.of(new Place(found.getFirst(), 1));
  }

  /** The lines around a line that an action names. */
  Optional<Excerpt> find(String source) {
    Matcher matcher = LINE.matcher(source);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    List<Path> found = files.getOrDefault(matcher.group(1), List.of());
    if (found.size() != 1) {
      return Optional.empty();
    }
    List<String> all = lines.computeIfAbsent(found.getFirst(), SourceFiles::read);
    int line = Integer.parseInt(matcher.group(2));
    if (line < 1 || line > all.size()) {
      return Optional.empty();
    }
    int first = Math.max(1, line - AROUND);
    int last = Math.min(all.size(), line + AROUND);
    return Optional.of(new Excerpt(found.getFirst(), first, line, all.subList(first - 1, last)));
  }

  private static List<String> read(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (MalformedInputException e) {
      return List.of();
    } catch (IOException e) {
      return List.of();
    }
  }
}
