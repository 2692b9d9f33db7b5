package dev.tutti.simulator;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.simulator.text.Json;
import dev.tutti.simulator.text.ReadProblem;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads and writes network models as JSON. It reads strictly: unknown names, missing units and
 * values out of range are errors that name their position.
 *
 * <p>All fields except {@code format} are optional:
 *
 * <pre>{@code
 * {
 *   "format": "tutti-network/1",
 *   "topology": {"pods": [[8, 8], [8, 4]]},    ranks of each node of each pod; or "nodes": [8, 4]; or
 *                                              "ranks": 64, "ranksPerNode": 8, "nodesPerPod": 4
 *   "sharing": "max-min",                      or "none"
 *   "levels": {
 *     "level0": {"latency": "0.5 us", "overhead": "50 ns", "bandwidth": "200 GB/s"},
 *     "level1": {"latency": "1.5 us", "bandwidth": "200 Gbit/s", "port": "own"},
 *     "level2": {"latency": "3 us"}            fields left out are as in the level before
 *   },
 *   "nodeUplink": "100 GB/s",
 *   "oversubscription": "2:1",
 *   "reduction": "50 GB/s", "copy": "100 GB/s",
 *   "notify": "200 ns", "localNotify": "10 ns"
 * }
 * }</pre>
 */
public final class NetworkFile {

  /** The value of the field {@code format}. */
  public static final String FORMAT = "tutti-network/1";

  private static final int MAX_RANKS = 1 << 24;
  private static final int MAX_BYTES = 16 << 20;
  private static final int MAX_RATIO_DIGITS = 8;
  private static final Pattern RATIO = Pattern.compile("([0-9]{1,9}):([0-9]{1,9})");

  private NetworkFile() {}

  /**
   * Reads a file.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if it cannot be read or breaks
   *     the format, {@link ErrorCode#UNKNOWN_NAME} if it holds an unknown name
   */
  public static NetworkModel read(Path file) {
    try {
      return parse(file.toString(), text(file));
    } catch (IOException e) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          e,
          "the network file %s cannot be read: %s",
          file,
          ReadProblem.of(file, e));
    }
  }

  /** Checks the kind before it opens the file, because opening a pipe would wait for its writer. */
  private static String text(Path file) throws IOException {
    if (!Files.readAttributes(file, BasicFileAttributes.class).isRegularFile()) {
      throw new FileSystemException(file.toString());
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MAX_BYTES + 1);
      if (bytes.length > MAX_BYTES) {
        throw new FileSystemException(
            file.toString(), null, "it has more than " + MAX_BYTES + " bytes");
      }
      return new String(bytes, StandardCharsets.UTF_8);
    }
  }

  /**
   * Reads a text.
   *
   * @throws TuttiException as {@link #read}
   */
  public static NetworkModel parse(String text) {
    return parse("network file", text);
  }

  private static NetworkModel parse(String name, String text) {
    Json root = Json.parse(name, text);
    Json format = root.field("format");
    if (!format.text().equals(FORMAT)) {
      throw format.error("must be \"%s\". Actual: \"%s\"", FORMAT, format.text());
    }
    root.allow(
        "format",
        "topology",
        "sharing",
        "levels",
        "nodeUplink",
        "oversubscription",
        "reduction",
        "copy",
        "notify",
        "localNotify");
    NetworkModel.Builder model = NetworkModel.builder();
    root.optional("topology").map(NetworkFile::topology).ifPresent(model::topology);
    root.optional("sharing").map(NetworkFile::sharing).ifPresent(model::sharing);
    root.optional("levels").ifPresent(levels -> readLevels(levels, model));
    root.optional("nodeUplink").map(Quantity::bandwidth).ifPresent(model::nodeUplink);
    root.optional("oversubscription").map(NetworkFile::ratio).ifPresent(model::oversubscription);
    root.optional("reduction").map(Quantity::bandwidth).ifPresent(model::reduction);
    root.optional("copy").map(Quantity::bandwidth).ifPresent(model::copy);
    root.optional("notify").map(Quantity::time).ifPresent(model::notifyTime);
    root.optional("localNotify").map(Quantity::time).ifPresent(model::localNotifyTime);
    return at(root, model::build);
  }

  /**
   * The text of a model, from which {@link #parse} makes the model again. Bandwidths are rounded
   * down to a thousandth of a byte per second and to 15 digits.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if the format cannot express the
   *     model: bytes are free on a level but not on the level below, or a bandwidth is rounded to 0
   */
  public static String text(NetworkModel model) {
    List<String> fields = new ArrayList<>(List.of(field("format", FORMAT)));
    model.topology().ifPresent(topology -> fields.add("\"topology\": " + pods(topology)));
    fields.add(field("sharing", model.sharing().label()));
    List<String> levels = new ArrayList<>();
    LinkTerms below = LinkTerms.of(0, PerByte.FREE);
    for (CommPlane level : NetworkModel.LEVELS) {
      LinkTerms terms = model.level(level);
      if (terms.beta().picoseconds() == 0 && below.beta().picoseconds() > 0) {
        throw new TuttiException(
            ErrorCode.INVALID_ARGUMENT,
            "a network file cannot say that bytes are free at %s and not at the level below;"
                + " give %s a bandwidth",
            level.label(),
            level.label());
      }
      levels.add("    \"" + level.label() + "\": {" + terms(terms) + "}");
      below = terms;
    }
    fields.add("\"levels\": {\n" + String.join(",\n", levels) + "\n  }");
    model.nodeUplink().ifPresent(uplink -> addBandwidth(fields, "nodeUplink", uplink));
    if (model.oversubscription() > 0) {
      fields.add(field("oversubscription", ratio(model.oversubscription())));
    }
    addBandwidth(fields, "reduction", model.reduction());
    addBandwidth(fields, "copy", model.copy());
    fields.add(field("notify", Quantity.text(model.notifyTime())));
    fields.add(field("localNotify", Quantity.text(model.localNotifyTime())));
    return "{\n  " + String.join(",\n  ", fields) + "\n}\n";
  }

  /** The ranks of each node of each pod. */
  private static String pods(Topology topology) {
    List<List<Integer>> pods = new ArrayList<>();
    int node = 0;
    for (int pod = 0; pod < topology.podCount(); pod++) {
      List<Integer> nodes = new ArrayList<>();
      for (int i = 0; i < topology.podSize(pod); i++) {
        nodes.add(topology.nodeSize(node++));
      }
      pods.add(nodes);
    }
    return "{\"pods\": " + pods + "}";
  }

  private static String ratio(double value) {
    BigDecimal exact = BigDecimal.valueOf(value).round(new MathContext(MAX_RATIO_DIGITS));
    int scale = Math.max(0, exact.stripTrailingZeros().scale());
    return exact.movePointRight(scale).toBigInteger() + ":" + BigInteger.TEN.pow(scale);
  }

  private static String terms(LinkTerms terms) {
    List<String> fields = new ArrayList<>();
    fields.add(field("latency", Quantity.text(terms.latency())));
    fields.add(field("overhead", Quantity.text(terms.overhead())));
    addBandwidth(fields, "bandwidth", terms.beta());
    fields.add(field("port", terms.hasOwnPort() ? "own" : "shared"));
    return String.join(", ", fields);
  }

  private static String field(String name, String value) {
    return "\"" + name + "\": \"" + value + "\"";
  }

  /** Adds a bandwidth, or nothing if bytes are free. */
  private static void addBandwidth(List<String> fields, String name, PerByte cost) {
    if (cost.picoseconds() > 0) {
      String text =
          Quantity.text(cost)
              .orElseThrow(
                  () ->
                      new TuttiException(
                          ErrorCode.INVALID_ARGUMENT,
                          "a network file cannot say a bandwidth below a thousandth of a byte per"
                              + " second. Actual: %s of %d ps for %d bytes",
                          name,
                          cost.picoseconds(),
                          cost.bytes()));
      fields.add(field(name, text));
    }
  }

  private static Sharing sharing(Json value) {
    List<String> labels = new ArrayList<>();
    for (Sharing sharing : Sharing.values()) {
      if (sharing.label().equals(value.text())) {
        return sharing;
      }
      labels.add(sharing.label());
    }
    throw value.unknown("sharing", value.text(), labels);
  }

  private static void readLevels(Json levels, NetworkModel.Builder model) {
    levels.allow("level0", "level1", "level2");
    LinkTerms below = LinkTerms.of(0, PerByte.FREE);
    for (CommPlane level : NetworkModel.LEVELS) {
      Optional<Json> value = levels.optional(level.label());
      if (value.isPresent()) {
        below = terms(value.get(), below);
        model.level(level, below);
      }
    }
  }

  private static LinkTerms terms(Json value, LinkTerms below) {
    value.allow("latency", "overhead", "bandwidth", "port");
    return new LinkTerms(
        value.optional("latency").map(Quantity::time).orElse(below.latency()),
        value.optional("overhead").map(Quantity::time).orElse(below.overhead()),
        value.optional("bandwidth").map(Quantity::bandwidth).orElse(below.beta()),
        value.optional("port").map(NetworkFile::isOwnPort).orElse(false));
  }

  private static boolean isOwnPort(Json value) {
    return switch (value.text()) {
      case "own" -> true;
      case "shared" -> false;
      default -> throw value.unknown("port", value.text(), List.of("own", "shared"));
    };
  }

  private static double ratio(Json value) {
    Matcher matcher = RATIO.matcher(value.text());
    if (!matcher.matches()
        || Long.parseLong(matcher.group(1)) == 0
        || Long.parseLong(matcher.group(2)) == 0) {
      throw value.error(
          "must be the ratio of the capacity below to the capacity above, for example \"2:1\"."
              + " Actual: \"%s\"",
          value.text());
    }
    return Double.parseDouble(matcher.group(1)) / Double.parseDouble(matcher.group(2));
  }

  private static Topology topology(Json value) {
    value.allow("pods", "nodes", "ranks", "ranksPerNode", "nodesPerPod");
    List<String> shapes = new ArrayList<>(value.names());
    shapes.retainAll(List.of("pods", "nodes", "ranks"));
    if (shapes.size() != 1) {
      throw value.error("must have one of 'pods', 'nodes' and 'ranks'. Actual: %s", value.names());
    }
    if (!shapes.getFirst().equals("ranks")) {
      value.allow(shapes.getFirst());
      Json shape = value.field(shapes.getFirst());
      List<Json> pods = shapes.getFirst().equals("pods") ? shape.items() : List.of(shape);
      return at(shape, () -> Topology.pods(pods.stream().map(NetworkFile::sizes).toList()));
    }
    int ranks = size(value.field("ranks"));
    int perNode = value.optional("ranksPerNode").map(NetworkFile::size).orElse(ranks);
    int nodes = Math.ceilDiv(ranks, perNode);
    int perPod = value.optional("nodesPerPod").map(NetworkFile::size).orElse(nodes);
    return at(value, () -> grid(ranks, perNode, perPod));
  }

  private static int size(Json value) {
    return (int) value.wholeNumber(1, MAX_RANKS);
  }

  private static int[] sizes(Json value) {
    return value.items().stream().mapToInt(NetworkFile::size).toArray();
  }

  /** Full nodes and pods, except for the last one of each, which holds the rest. */
  private static Topology grid(int ranks, int perNode, int perPod) {
    List<int[]> pods = new ArrayList<>();
    int left = ranks;
    while (left > 0) {
      int nodes = Math.min(perPod, Math.ceilDiv(left, perNode));
      int[] sizes = new int[nodes];
      for (int node = 0; node < nodes; node++) {
        sizes[node] = Math.min(perNode, left);
        left -= sizes[node];
      }
      pods.add(sizes);
    }
    return Topology.pods(pods);
  }

  /** The result of a conversion of a value, with errors that name the place of that value. */
  private static <T> T at(Json value, Supplier<T> maker) {
    try {
      return maker.get();
    } catch (TuttiException e) {
      throw value.error("%s", e.getMessage());
    }
  }
}
