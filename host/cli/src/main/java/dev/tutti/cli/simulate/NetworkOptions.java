package dev.tutti.cli.simulate;

import dev.tutti.cli.options.GroupOptions;
import dev.tutti.cli.options.GroupShape;
import dev.tutti.cli.options.TopologyOption;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.simulator.NetworkFile;
import dev.tutti.simulator.NetworkModel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The network of a simulation: a file, the plain model, or threads of one machine. */
final class NetworkOptions {

  private static final Pattern SHAPE = Pattern.compile("[0-9+|x()\\s]+");
  private static final Pattern BOUND =
      Pattern.compile("\\): ((must be at most|must be a whole|has too many)[^.]*)\\.");

  private static final Pattern QUANTITY = Pattern.compile("([0-9.]+)\\s*([A-Za-zµ/]+)");

  private static final String NETWORK = "--network";

  @Option(
      names = {"--topology", NETWORK},
      paramLabel = "<file>",
      description =
          "A network file (see docs/simulator.md), or a shape such as 8+4 for the ranks of the"
              + " other models; found: a node for each memory domain or last-level cache of this"
              + " machine.")
  private @Nullable String topology;

  @Option(
      names = {"-n", "--ranks"},
      paramLabel = "<n>",
      description = "The number of ranks. Default: those of the network file, or 4.")
  private @Nullable Integer ranks;

  @Option(
      names = "--alpha",
      paramLabel = "<time>",
      description = "The plain model: the time of a message, such as 1.5us. Default: none.")
  private @Nullable String alpha;

  @Option(
      names = "--beta",
      paramLabel = "<bandwidth>",
      description =
          "The plain model: the bandwidth of a message, such as 25GB/s. Default: unlimited.")
  private @Nullable String beta;

  @Option(
      names = "--gamma",
      paramLabel = "<bandwidth>",
      description =
          "The plain model: the bandwidth of reductions, such as 50GB/s. Default: unlimited.")
  private @Nullable String gamma;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command = CommandSpec.create();

  /**
   * The model of the network, with the places of the ranks.
   *
   * @throws TuttiException if options contradict each other, or the file is wrong
   */
  NetworkModel model() {
    return model(null);
  }

  /**
   * The same for a known topology.
   *
   * @param known the topology of the ranks, unless the network has its own; null if it is not known
   */
  NetworkModel model(@Nullable Topology known) {
    NetworkModel model = modelWithoutRanks();
    Topology shape = model.topology().orElse(null);
    if (shape == null && topology != null && isShape()) {
      shape = read(Topology::parse, topology);
    }
    if (isFound()) {
      int usual = ranks == null ? TopologyOption.USUAL_RANKS : ranks;
      shape = GroupShape.found(known == null ? usual : known.rankSize());
    }
    if (known != null) {
      if (shape != null && shape.rankSize() != known.rankSize()) {
        throw new TuttiException(
            ErrorCode.INVALID_ARGUMENT,
            "the plan is for %d ranks, and %s %s has %d",
            known.rankSize(),
            option(),
            topology,
            shape.rankSize());
      }
      return model.withTopology(shape == null ? known : shape);
    }
    if (shape == null) {
      return model.withTopology(
          GroupOptions.flat(ranks == null ? TopologyOption.USUAL_RANKS : ranks));
    }
    if (ranks != null && ranks != shape.rankSize()) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "--ranks and %s contradict each other: --ranks is %d, %s %s has %d ranks; give one of"
              + " them",
          option(),
          ranks,
          option(),
          topology,
          shape.rankSize());
    }
    return model.withTopology(shape);
  }

  private NetworkModel modelWithoutRanks() {
    boolean isPlain = alpha != null || beta != null || gamma != null;
    if (topology != null && !isShape() && !isFound()) {
      if (isPlain) {
        throw new TuttiException(
            ErrorCode.INVALID_ARGUMENT,
            "--alpha, --beta and --gamma are the plain model, and %s is a network file; leave one"
                + " of them out",
            topology);
      }
      return read(NetworkFile::read, requireFile(topology));
    }
    return isPlain ? plain() : NetworkModel.machine();
  }

  /** The network file, if there is one. */
  Optional<Path> file() {
    return topology == null || isShape() || isFound()
        ? Optional.empty()
        : Optional.of(requireFile(topology));
  }

  private Path requireFile(String text) {
    Path file = Path.of(text);
    if (!Files.isRegularFile(file)) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "%s takes a network file, or a shape such as 8+4. Actual: '%s', which is %s",
          option(),
          file,
          Files.exists(file) ? "not a file" : "neither a shape nor a file");
    }
    return file;
  }

  /** Reads the value of the option; an error begins with the option's name. */
  private <T, R> R read(Function<T, R> reader, T value) {
    try {
      return reader.apply(value);
    } catch (TuttiException e) {
      throw new TuttiException(e.code(), e, "%s: %s", option(), e.getMessage());
    }
  }

  /** The option with which the user gave the topology. */
  private String option() {
    List<String> arguments = command.root().commandLine().getParseResult().originalArgs();
    boolean isNetwork = arguments.stream().anyMatch(each -> each.split("=", 2)[0].equals(NETWORK));
    return isNetwork ? NETWORK : "--topology";
  }

  private boolean isFound() {
    return GroupShape.FOUND.equalsIgnoreCase(topology);
  }

  private boolean isShape() {
    return topology != null && SHAPE.matcher(topology).matches();
  }

  /** Writes the terms as a network file, whose reader knows the units. */
  private NetworkModel plain() {
    String level =
        field("--alpha", "latency", alpha, "a time such as 1.5us (ps, ns, us, ms, s)")
            + field("--beta", "bandwidth", beta, "a bandwidth such as 25GB/s or 200Gbit/s");
    String rest = field("--gamma", "reduction", gamma, "a bandwidth such as 50GB/s");
    return NetworkFile.parse(file(level, rest));
  }

  /**
   * A field of a network file, with a comma before it; empty if it is not given. Each field is
   * checked on its own, so that an error names its option.
   */
  private static String field(String option, String name, @Nullable String value, String expected) {
    if (value == null) {
      return "";
    }
    Matcher matcher = QUANTITY.matcher(value.strip());
    // Other text may contain quotes, so pass a word that the reader refuses.
    String quantity = matcher.matches() ? matcher.group(1) + " " + matcher.group(2) : "none";
    String field = ",\"" + name + "\":\"" + quantity + "\"";
    boolean isOfLevel = !name.equals("reduction");
    try {
      NetworkFile.parse(file(isOfLevel ? field : "", isOfLevel ? "" : field));
      return field;
    } catch (TuttiException e) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          e,
          "%s %s. Actual: '%s'",
          option,
          bound(String.valueOf(e.getMessage())).orElse("takes " + expected),
          value);
    }
  }

  /** What a quantity breaks that has the right form, in the words of the file's reader. */
  private static Optional<String> bound(String message) {
    Matcher matcher = BOUND.matcher(message);
    return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
  }

  private static String file(String level, String rest) {
    String terms = level.isEmpty() ? "" : level.substring(1);
    return "{\"format\":\""
        + NetworkFile.FORMAT
        + "\",\"levels\":{\"level0\":{"
        + terms
        + "}}"
        + rest
        + "}";
  }
}
