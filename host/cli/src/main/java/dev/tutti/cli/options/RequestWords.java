package dev.tutti.cli.options;

import dev.tutti.base.text.Sentence;
import dev.tutti.host.call.Protocols;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

/** Writes and reads a request as the words of a command line. */
public final class RequestWords {

  private RequestWords() {}

  /** The parsed words. */
  @Command(name = "request")
  private static final class Words {
    @Mixin private final RequestOptions options = new RequestOptions();
  }

  /**
   * The words of a planned request.
   *
   * @param count the elements as the operation counts them
   */
  static String of(OperationSpec spec, long count) {
    OperationName name = spec.name();
    List<String> words = new ArrayList<>(List.of(name.label()));
    add(words, "--topology", spec.topology().toString().replace(" ", ""));
    if (name.hasData()) {
      add(words, "--count", count);
      add(words, "--type", spec.call().dataType().label());
    }
    if (spec.call().reduceOp() != null && name.isReduction()) {
      add(words, "--op", spec.call().reduceOp().label());
    }
    if (name.hasRoot()) {
      add(words, "--root", spec.call().root());
    }
    if (name.isTransfer()) {
      add(words, "--src", spec.call().root());
      add(words, "--dst", spec.call().destination());
    }
    if (spec.options().mode() != null) {
      add(words, "--mode", spec.options().mode().label());
    }
    if (!spec.options().protocols().equals(Protocols.DIRECT)) {
      add(words, "--protocol", spec.options().protocols().label());
    }
    if (spec.isInPlace()) {
      words.add("--in-place");
    }
    return String.join(" ", words);
  }

  private static void add(List<String> words, String option, Object value) {
    words.add(option);
    words.add(value.toString());
  }

  /**
   * Parses a request.
   *
   * @throws TuttiException if they are not an operation and its options
   */
  static OperationSpec parse(String text) {
    Words words = new Words();
    CommandLine parser = RequestOptions.register(new CommandLine(words)).setExpandAtFiles(false);
    try {
      parser.parseArgs(text.strip().split("\\s+"));
    } catch (ParameterException e) {
      if (e.getCause() instanceof TuttiException cause) {
        throw cause;
      }
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          e,
          "%s",
          Sentence.of("it must be an operation and options of 'tutti run': %s", e.getMessage()));
    }
    RequestName name = words.options.target().known();
    if (name == null || name.algorithm() != null) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT, "it must begin with an operation, such as allreduce");
    }
    return words.options.spec(name, 0);
  }
}
