package dev.tutti.cli.verify;

import dev.tutti.cli.catalogue.AlgorithmWithPeer;
import dev.tutti.cli.catalogue.CatalogueOptions;
import dev.tutti.cli.options.RequestTarget;
import dev.tutti.cli.terminal.ShellWord;
import dev.tutti.plugin.Algorithm;
import dev.tutti.verifier.matrix.CollectiveCase;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Commands that check one case again.
 *
 * @param paths the given jars and directories
 * @param pluginsDirectories the given plugins directories
 * @param depth the options of {@link VerifyDepth}, as arguments
 * @param all the catalogue
 */
record VerifyReplay(
    List<Path> paths, List<Path> pluginsDirectories, List<String> depth, List<Algorithm> all) {

  /** A command line for a POSIX shell. */
  String command(AlgorithmWithPeer subject, CollectiveCase c) {
    List<String> words =
        new ArrayList<>(List.of(System.getProperty("tutti.command", "tutti"), "verify"));
    paths.forEach(path -> words.add(pathWord(path)));
    if (paths.stream().anyMatch(path -> RequestTarget.isPlanFile(path.toString()))) {
      words.addAll(depth);
      return String.join(" ", words.stream().map(ShellWord::quoted).toList());
    }
    words.add(name(subject.algorithm()));
    pluginsDirectories.forEach(
        directory -> {
          words.add("--plugins");
          words.add(directory.toString());
        });
    words.addAll(depth);
    words.add("--replay");
    return words.stream().map(ShellWord::quoted).collect(Collectors.joining(" "))
        + " '"
        + c.token()
        + "'";
  }

  /** A path in a form that cannot be mistaken for the name of an algorithm. */
  private static String pathWord(Path path) {
    String text = path.toString();
    return CatalogueOptions.isPath(text) || RequestTarget.isPlanFile(text) ? text : "./" + text;
  }

  /** The plain name if only one plugin has it; the token gives the operation. */
  private String name(Algorithm algorithm) {
    long same =
        all.stream()
            .filter(each -> each.operation() == algorithm.operation())
            .filter(each -> each.name().equals(algorithm.name()))
            .count();
    return same == 1 ? algorithm.name() : algorithm.qualifiedName();
  }
}
