package dev.tutti.cli.project;

import dev.tutti.base.text.Sentence;
import dev.tutti.cli.options.Labels;
import dev.tutti.cli.options.OperationName;
import dev.tutti.cli.terminal.ExitCode;
import dev.tutti.cli.terminal.OutputFile;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.cli.terminal.TuttiVersion;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes the project of a plugin. */
@Command(
    name = "new",
    description = {
      "Creates a Maven project with one algorithm of an operation, its tests and a plugin jar.",
      "",
      "The algorithm is simple and correct; replace it by yours. The project gets a new directory"
          + " with its name. If the command fails, it leaves nothing behind."
          + " docs/writing-a-plugin.md describes what an algorithm can do."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  tutti new allreduce my-ring",
      "  tutti new broadcast my-tree --style template",
      "  tutti new reducescatterv halving --group com.acme.collectives"
    })
public final class NewCommand implements Callable<Integer> {

  private final Terminal terminal;
  private final Path directory;

  @Parameters(
      index = "0",
      paramLabel = "<operation>",
      completionCandidates = Labels.OfOperations.class,
      description =
          "allreduce, broadcast, barrier, …; send, receive and sendreceive create one project with"
              + " both sides.")
  private String operation = "";

  @Parameters(
      index = "1",
      paramLabel = "<name>",
      description = "The name of the project and of the algorithm: my-ring.")
  private String name = "";

  @Option(
      names = "--style",
      paramLabel = "<style>",
      description =
          "explicit: the algorithm emits every step itself (default); template: it combines ready"
              + " pieces, which become part of the jar (allreduce, allgather, reducescatter and"
              + " broadcast).")
  private ProjectStyle style = ProjectStyle.EXPLICIT;

  @Option(
      names = "--group",
      paramLabel = "<package>",
      description = "The Maven group, which is also the parent package. Default: ${DEFAULT-VALUE}.")
  private String group = "org.example";

  /**
   * Makes the command.
   *
   * @param directory the directory that gets the project
   */
  public NewCommand(Terminal terminal, Path directory) {
    this.terminal = terminal;
    this.directory = directory;
  }

  @Override
  public Integer call() {
    PluginProject project = new PluginProject(operation().operation(), style, name, group);
    Path place = directory.resolve(name);
    if (Files.exists(place, LinkOption.NOFOLLOW_LINKS)) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "%s already exists; use another name, or remove it",
          place.toAbsolutePath());
    }
    OutputFile.requireWritableDirectory(place, "project");
    write(project.files(), place);
    terminal
        .out()
        .println(
            Sentence.of(
                "made %s: %s in the package %s",
                name, project.operationName(), project.packageName()));
    SdkInstallation.ofUser().steps(name, TuttiVersion.number()).forEach(terminal.out()::println);
    return ExitCode.OK;
  }

  private OperationName operation() {
    if (OperationName.find(operation).isEmpty() && OperationName.find(name).isPresent()) {
      throw new TuttiException(
          ErrorCode.UNKNOWN_NAME,
          "unknown operation '%s'; did you mean 'tutti new %s %s'?",
          operation,
          name,
          operation);
    }
    return OperationName.of(operation);
  }

  /**
   * Writes all files into a temporary directory beside the target, and then moves it to the target.
   */
  private static void write(Map<String, String> files, Path place) {
    Path parent = place.toAbsolutePath().getParent();
    try {
      Path part = Files.createTempDirectory(parent, "." + place.getFileName());
      try {
        Path project = Files.createDirectory(part.resolve("project"));
        for (Map.Entry<String, String> file : files.entrySet()) {
          Path path = project.resolve(file.getKey());
          Files.createDirectories(path.getParent());
          Files.writeString(path, file.getValue());
        }
        boolean isExecutable = project.resolve("mvnw").toFile().setExecutable(true, false);
        if (!isExecutable) {
          throw new IOException("mvnw cannot be made executable");
        }
        Files.move(project, place);
      } finally {
        delete(part);
      }
    } catch (IOException | UncheckedIOException e) {
      throw new TuttiException(
          ErrorCode.OUTPUT_UNWRITABLE, e, "cannot write the project %s: %s", place, e.getMessage());
    }
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
