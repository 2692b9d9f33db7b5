package dev.tutti.cli;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The names of one thing among the options of all commands, and those of other programs. */
final class OptionSynonyms {

  /** Each a thing; a command has at most one option for it. */
  private static final List<List<String>> ALL =
      List.of(
          List.of("--ranks", "--ngpus", "-g", "--gpus", "-np", "--np", "--nproc", "--world-size"),
          List.of("--type", "--datatype", "-d", "--dtype", "--data-type"),
          List.of("--sizes", "--bytes", "--size", "--count", "--elements"),
          List.of("--min", "--minbytes"),
          List.of("--max", "--maxbytes"),
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
   * The name of a thing among the options of a command.
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
