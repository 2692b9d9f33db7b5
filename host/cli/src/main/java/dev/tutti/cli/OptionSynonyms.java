package dev.tutti.cli;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The names that options with the same meaning have in other commands and in other programs. */
final class OptionSynonyms {

  /** Each list has one meaning; a command has at most one option with that meaning. */
  private static final List<List<String>> ALL =
      List.of(
          List.of("--ranks", "--ngpus", "-g", "--gpus", "-np", "--np", "--nproc", "--world-size"),
          List.of("--type", "--datatype", "-d", "--dtype", "--data-type"),
          List.of("--sizes", "--bytes", "--size", "--count", "--elements"),
          List.of("--min", "--minbytes", "--min-bytes"),
          List.of("--max", "--maxbytes", "--max-bytes"),
          List.of("--factor", "--stepfactor"),
          List.of("--iterations", "--iters", "--runs", "--repeat"),
          List.of("--op", "--redop", "--reduction"),
          List.of("--topology", "--nodes", "--shape"),
          List.of("--deadline", "--timeout", "-T"),
          List.of("--budget", "--seconds", "--time", "--duration"),
          List.of("--algorithm", "--algo"),
          List.of("--plugins", "--plugin", "--jar"),
          List.of("--output", "--out"));

  private OptionSynonyms() {}

  /**
   * The option of a command that has the meaning of a name.
   *
   * @param asked a name that the command does not have
   */
  static Optional<String> find(String asked, Collection<String> options) {
    return ALL.stream()
        .filter(names -> names.contains(asked))
        .flatMap(List::stream)
        .filter(options::contains)
        .findFirst();
  }
}
