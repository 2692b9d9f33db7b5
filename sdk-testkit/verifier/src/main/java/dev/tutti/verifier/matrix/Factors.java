package dev.tutti.verifier.matrix;

import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.topology.Topology;
import java.util.ArrayList;
import java.util.List;

/** The factors of the cases of a matrix, and their combinations that the cases must visit. */
final class Factors {

  static final String NO_DATA = "0";

  private static final String GRAPH = "graph";
  private static final String GRAPH_BEYOND = "graph, more than the CCL buffer";
  private static final String NO_ROUND = "op-base no round";
  private static final String ONE_ROUND = "op-base one round";
  private static final String TWO_ROUNDS = "op-base two rounds";
  private static final String MORE_ROUNDS = "op-base three rounds or more";
  private static final String SEVERAL_ROUNDS = "op-base several rounds";
  private static final String FULL = ", full";
  private static final String ONE_LESS = ", less one";
  private static final String ONE_MORE = ", one for one";

  /** The least number of elements for which an uneven count is long. */
  private static final long LONG = 200;

  private final Axes axes;
  private final Factor group;
  private final Factor ranks;
  private final Factor count;
  private final Factor type;
  private final Factor reduction;
  private final Factor root;
  private final Factor protocol;
  private final Factor filling;
  private final Factor rounds;
  private final Factor mode;

  /** In the V forms, whether some blocks are empty. */
  private final Factor blocks;

  /** GRAPH mode, or the rounds of OP_BASE; no round and one round are one value. */
  private final Factor way;

  private final List<Factor> parameters = new ArrayList<>();

  Factors(Axes axes) {
    this.axes = axes;
    group = Factor.of("group", axes, axes(Axes.GROUP), c -> c.topology().toString());
    ranks = Factor.of("ranks", axes, axes(Axes.GROUP), Factors::ranksOf);
    count =
        Factor.of("count", axes, axes(Axes.GROUP, Axes.COUNT, Axes.REDUCTION), Factors::countOf);
    type = Factor.of("type", axes, axes(Axes.REDUCTION), c -> c.dataType().label());
    reduction = Factor.of("reduction", axes, axes(Axes.REDUCTION), c -> c.reduceOp().label());
    root = Factor.of("root", axes, axes(Axes.GROUP, Axes.ROOT), Factors::rootOf);
    protocol = Factor.of("protocol", axes, axes(Axes.PROTOCOL), c -> c.comm().protocol().label());
    filling =
        Factor.of(
            "filling",
            axes,
            axes(Axes.GROUP, Axes.COUNT, Axes.REDUCTION, Axes.WORKFLOW),
            Factors::fillingOf);
    rounds = filling.coarser("rounds", Factors::roundsOf);
    mode = rounds.coarser("mode", each -> each.equals(GRAPH) ? GRAPH : "op-base");
    blocks =
        Factor.of(
            "blocks",
            axes,
            axes(Axes.BLOCKS),
            c -> c.seed() % 2 == 0 ? "none empty" : "some empty");
    way = rounds.coarser("way", each -> each.equals(NO_ROUND) ? ONE_ROUND : each);
    for (int i = 0; i < axes.parameters().size(); i++) {
      String name = nameOf(axes.parameters().get(i));
      parameters.add(
          Factor.of(
              name,
              axes,
              axes(Axes.FIRST_PARAMETER + i),
              c -> c.options().values().getOrDefault(name, "default")));
    }
  }

  private static int[] axes(int... axes) {
    return axes;
  }

  /** The parameter that has these values. */
  private static String nameOf(List<AlgOptions> values) {
    return values.stream()
        .flatMap(each -> each.values().keySet().stream())
        .findFirst()
        .orElse("parameter");
  }

  private static String ranksOf(CollectiveCase c) {
    Topology topology = c.topology();
    int ranks = topology.rankSize();
    if (topology.nodeCount() > 1) {
      return "several nodes";
    }
    if (ranks <= 2) {
      return Integer.toString(ranks);
    }
    return Integer.bitCount(ranks) == 1 ? "power of two" : "no power of two";
  }

  private static String countOf(CollectiveCase c) {
    long ranks = c.comm().rankSize();
    if (c.count() <= 1) {
      return c.count() == 0 ? NO_DATA : "1";
    }
    if (c.count() < ranks) {
      return "fewer than ranks";
    }
    if (c.count() % ranks == 0) {
      return "multiple of ranks";
    }
    return c.count() < LONG ? "uneven" : "uneven, long";
  }

  private static String rootOf(CollectiveCase c) {
    int ranks = c.comm().rankSize();
    int root = c.root();
    if (root == 0) {
      return "first";
    }
    if (root == ranks - 1) {
      return "last";
    }
    return root >= Integer.highestOneBit(ranks) ? "beyond a power of two" : "between";
  }

  private static String fillingOf(CollectiveCase c) {
    if (c.comm().mode() == WorkflowMode.GRAPH) {
      boolean isBeyond = c.longestBlock() * c.bytesPerElement() > c.comm().cclBufferSize();
      return isBeyond ? GRAPH_BEYOND : GRAPH;
    }
    if (!Traits.hasData(c.operation())) {
      return ONE_ROUND;
    }
    long longest = c.longestBlock();
    if (longest == 0) {
      return NO_ROUND;
    }
    long perRound = c.countPerRound();
    if (longest <= perRound) {
      return longest == perRound
          ? ONE_ROUND + FULL
          : longest == perRound - 1 ? ONE_ROUND + ONE_LESS : ONE_ROUND;
    }
    if (longest % perRound == 0) {
      return SEVERAL_ROUNDS + FULL;
    }
    return longest == perRound + 1
        ? TWO_ROUNDS + ONE_MORE
        : longest < 2 * perRound ? TWO_ROUNDS : MORE_ROUNDS;
  }

  private static String roundsOf(String filling) {
    if (filling.startsWith(GRAPH)) {
      return GRAPH;
    }
    if (filling.startsWith(ONE_ROUND)) {
      return ONE_ROUND;
    }
    return filling.equals(NO_ROUND) ? NO_ROUND : SEVERAL_ROUNDS;
  }

  Factor count() {
    return count;
  }

  /**
   * The factors for the shares in a coverage table: mode with protocol, and every other factor
   * alone.
   */
  List<Interaction> shares() {
    List<Interaction> shares = new ArrayList<>();
    shares.add(modeAndProtocol());
    for (Factor factor : all()) {
      if (factor != protocol) {
        shares.add(new Interaction(List.of(factor), axes));
      }
    }
    return shares;
  }

  private Interaction modeAndProtocol() {
    return new Interaction(List.of(mode, protocol), axes);
  }

  /** The factors whose values should be visited equally often where there is a choice. */
  List<Interaction> balanced() {
    List<Interaction> balanced = new ArrayList<>(List.of(modeAndProtocol()));
    List<Factor> single = List.of(group, type, reduction, root, way);
    single.forEach(factor -> balanced.add(new Interaction(List.of(factor), axes)));
    return balanced;
  }

  /** The factors that take more than one value. */
  private List<Factor> all() {
    List<Factor> all =
        new ArrayList<>(List.of(group, count, type, reduction, root, protocol, filling, blocks));
    all.addAll(parameters);
    all.removeIf(factor -> factor.labels().size() < 2);
    return all;
  }

  /**
   * Each pair of factors. "No round" counts as one round here, because it means count 0, which few
   * cases should have.
   */
  List<Interaction> pairs() {
    List<Factor> factors = all();
    factors.replaceAll(factor -> factor == filling ? fillingWithData() : factor);
    return pairs(factors);
  }

  private Factor fillingWithData() {
    return filling.coarser("filling", each -> each.equals(NO_ROUND) ? ONE_ROUND : each);
  }

  /**
   * Each pair of axes of the matrix, by the numbers of their values. Types and reductions are
   * separate factors.
   */
  List<Interaction> pairsOfAxes() {
    List<Factor> raw = new ArrayList<>(List.of(type, reduction));
    raw.removeIf(factor -> factor.labels().size() < 2);
    for (int axis = 0; axis < axes.sizes().length; axis++) {
      if (axes.sizes()[axis] > 1 && axis != Axes.REDUCTION) {
        raw.add(Factor.ofAxis(axes, axis));
      }
    }
    return pairs(raw);
  }

  private List<Interaction> pairs(List<Factor> factors) {
    List<Interaction> pairs = new ArrayList<>();
    for (int i = 0; i < factors.size(); i++) {
      for (int j = i + 1; j < factors.size(); j++) {
        pairs.add(new Interaction(List.of(factors.get(i), factors.get(j)), axes));
      }
    }
    return pairs;
  }

  /**
   * The required triples: all triples of four factors (mode with rounds, protocol, class of ranks,
   * class of count); the triple of group, protocol and filling of the rounds; that of group, mode
   * and empty blocks; and for each other factor, the triple with mode and protocol.
   */
  List<Interaction> triples() {
    List<Interaction> triples = triples(List.of(rounds, protocol, ranks, count));
    if (group.labels().size() > 1) {
      Factor each =
          fillingWithData()
              .coarser("filling", it -> it.equals(TWO_ROUNDS + ONE_MORE) ? TWO_ROUNDS : it);
      triples.add(new Interaction(List.of(each, protocol, group), axes));
    }
    if (blocks.labels().size() > 1) {
      triples.add(new Interaction(List.of(blocks, mode, group), axes));
    }
    List<Factor> others = new ArrayList<>(List.of(type, reduction, root));
    others.addAll(parameters);
    others.removeIf(factor -> factor.labels().size() < 2);
    for (Factor other : others) {
      triples.add(new Interaction(List.of(way, protocol, other), axes));
    }
    return triples;
  }

  /** Further triples, which are visited only by cases that exist for other reasons. */
  List<Interaction> otherTriples() {
    return triples(List.of(ranks, count, way, protocol, root));
  }

  private List<Interaction> triples(List<Factor> factors) {
    List<Interaction> triples = new ArrayList<>();
    for (int i = 0; i < factors.size(); i++) {
      for (int j = i + 1; j < factors.size(); j++) {
        for (int k = j + 1; k < factors.size(); k++) {
          triples.add(
              new Interaction(List.of(factors.get(i), factors.get(j), factors.get(k)), axes));
        }
      }
    }
    return triples;
  }
}
