package dev.tutti.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Does what the tutorial says in a directory that stands for the generated project: types the
 * commands, and tells what came of them. Its build is the compiler with the options of the
 * generated one; the archetype's own tests have run that itself.
 */
final class Author implements AutoCloseable {

  private static final String PROMPT = "$ ";
  private static final String BUILD = "./mvnw -q -DskipTests package";
  private static final String DIRECTORIES = "mkdir -p ";
  private static final String COMMAND = "../tutti/tutti ";

  /** Where the page says that all this is. */
  private static final String PLACE = "/srv/my-ring";

  private final Path directory;
  private final GeneratedPlugin project;
  private final TutorialCode code;
  private final Tutti tutti;
  private String source;

  Author(Path directory, GeneratedPlugin project, TutorialCode code) {
    this.directory = directory;
    this.project = project;
    this.code = code;
    this.tutti = new Tutti(directory);
    this.source = code.broken();
  }

  /** Does what a part of the page says, and gives the part as it should have been. */
  Page.Part follow(Page.Part part) throws IOException, InterruptedException {
    switch (part.language()) {
      case "java" -> {
        if (code.mended().endsWith(part.text())) {
          source = code.mended();
        }
        return part;
      }
      case "console" -> {
        return part.with(typed(part.lines()));
      }
      case "text" -> {
        for (String line : part.lines()) {
          tutti.awaitNews(line.replaceFirst("^\\d\\d:\\d\\d:\\d\\d +", ""));
        }
        return part;
      }
      default -> {
        return part;
      }
    }
  }

  private List<String> typed(List<String> lines) throws IOException, InterruptedException {
    List<String> happened = new ArrayList<>();
    for (String line : lines) {
      if (line.startsWith(PROMPT)) {
        happened.add(line);
        String output = output(line.substring(PROMPT.length()));
        happened.addAll(output.replace(directory.toString(), PLACE).lines().toList());
      }
    }
    return happened;
  }

  private String output(String command) throws IOException, InterruptedException {
    if (command.equals(BUILD)) {
      build();
      return "";
    }
    if (command.startsWith(DIRECTORIES)) {
      Files.createDirectories(directory.resolve(command.substring(DIRECTORIES.length())));
      return "";
    }
    assertThat(command).startsWith(COMMAND);
    String[] arguments = command.substring(COMMAND.length()).split(" ");
    if (arguments[0].equals("serve") && !Arrays.asList(arguments).contains("--stop")) {
      tutti.serve(Arrays.copyOfRange(arguments, 1, arguments.length));
      return tutti.awaitNews("serving ").lines().findFirst().orElseThrow();
    }
    return tutti.run(arguments).text();
  }

  private void build() throws IOException {
    Path jar = project.jar(directory, "1.0.0", generated -> source);
    Path target = Files.createDirectories(directory.resolve("target"));
    Files.move(jar, target.resolve("my-ring-1.0.0.jar"), StandardCopyOption.REPLACE_EXISTING);
  }

  @Override
  public void close() {
    tutti.close();
  }
}
