package dev.tutti.cli.catalogue;

import dev.tutti.cli.host.Hosts;
import dev.tutti.cli.options.Labels;
import dev.tutti.cli.options.OperationName;
import dev.tutti.cli.options.RequestTarget;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options for the source of the algorithms and for the selection. */
public final class CatalogueOptions {

  @Parameters(
      paramLabel = "<target>",
      arity = "0..*",
      completionCandidates = Labels.OfTargets.class,
      description =
          "Plugin jars, or directories of jars, to use instead of --plugins; or names, to select"
              + " algorithms: ring, plugin-id:ring, allreduce/ring, allreduce. Default: all"
              + " algorithms. Or one file of 'tutti plan --format json'.")
  private List<String> targets = new ArrayList<>();

  @Option(
      names = "--plugins",
      paramLabel = "<dir>",
      description =
          "A directory of plugin jars, or one jar; may be given several times. Default: Tutti's"
              + " own.")
  private List<Path> plugins = new ArrayList<>();

  /**
   * Whether a target is a path and not a name: it ends in {@code .jar}, or it has a slash that does
   * not follow an operation, or it is {@code .} or {@code ..}.
   */
  public static boolean isPath(String target) {
    return target.endsWith(".jar")
        || target.equals(".")
        || target.equals("..")
        || (target.indexOf('/') >= 0 && AlgorithmNames.operationOf(target) == null);
  }

  /** The targets that are paths. */
  public List<Path> paths() {
    return targets.stream().filter(CatalogueOptions::isPath).map(Path::of).toList();
  }

  /**
   * The plan file to check; null if there is none.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if there are also other targets
   */
  public @Nullable Path planFile() {
    List<String> files = targets.stream().filter(RequestTarget::isPlanFile).toList();
    if (!files.isEmpty() && targets.size() > 1) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "a plan file is checked by itself; leave out the other targets. Actual: %s",
          String.join(" ", targets));
    }
    return files.isEmpty() ? null : Path.of(files.getFirst());
  }

  /** The targets that are names. */
  public List<String> names() {
    return targets.stream().filter(target -> !isPath(target)).toList();
  }

  /** The given plugins directories. */
  public List<Path> pluginsDirectories() {
    return plugins;
  }

  /** Loads the algorithms; the caller closes them. */
  public AlgorithmCatalogue open(Hosts hosts, Duration planningLimit) {
    List<Path> paths = paths();
    if (paths.isEmpty()) {
      return AlgorithmCatalogue.ofHost(hosts, plugins, planningLimit);
    }
    if (!plugins.isEmpty()) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "--plugins and %s both say where the algorithms are; leave one of them out",
          paths.getFirst());
    }
    paths.forEach(CatalogueOptions::requireExists);
    return AlgorithmCatalogue.ofPaths(paths, planningLimit);
  }

  private static void requireExists(Path path) {
    if (Files.exists(path)) {
      return;
    }
    String text = path.toString();
    int slash = text.indexOf('/');
    String hint = "";
    if (slash > 0 && !text.endsWith(".jar")) {
      try {
        OperationName.of(text.substring(0, slash));
      } catch (TuttiException e) {
        // The user meant an operation only if the text before the slash is similar to one.
        hint =
            String.valueOf(e.getMessage()).contains("did you mean")
                ? ", or an algorithm as operation/name (" + e.getMessage() + ")"
                : "";
      }
    }
    throw new TuttiException(
        ErrorCode.PLUGIN_UNREADABLE,
        "%s does not exist; name a plugin jar or a directory of them%s",
        path,
        hint);
  }

  /** The error for an unknown name; it has a hint if a directory has that name. */
  public TuttiException orDirectory(TuttiException unknown) {
    for (String name : names()) {
      if (unknown.code() == ErrorCode.UNKNOWN_NAME && Files.isDirectory(Path.of(name))) {
        return new TuttiException(
            unknown.code(),
            "%s; if you mean the directory, write ./%s",
            unknown.getMessage(),
            name);
      }
    }
    return unknown;
  }
}
