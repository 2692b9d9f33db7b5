package dev.tutti.plan;

import dev.tutti.sdk.resource.TransportMemType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One drawing of {@link PlanDot}. A node id locates its action: {@code r1_4} is action 4 of rank 1,
 * and {@code r1_4_0} is the first action of the plan nested there.
 */
final class DotWriter {

  private static final String HEAD =
      """
        rankdir=LR; newrank=true; fontname="sans-serif";
        node [shape=box, style="rounded,filled", fillcolor=white, fontname="sans-serif", fontsize=10];
        edge [arrowsize=0.6, fontname="sans-serif", fontsize=9];
      """;

  private final GroupPlan group;
  private final int shownRanks;
  private final int actionsPerRank;
  private final Appendable out;
  private final Signals signals = new Signals();
  private final List<String> transfers = new ArrayList<>();

  /** The memories that transfers touch, by rank. */
  private final List<TreeMap<TransportMemType, String>> memories = new ArrayList<>();

  DotWriter(GroupPlan group, int maxActions, Appendable out) {
    this.group = group;
    this.shownRanks = Math.min(group.rankSize(), maxActions);
    this.actionsPerRank = Math.max(1, maxActions / shownRanks);
    this.out = out;
    for (int rank = 0; rank < group.rankSize(); rank++) {
      memories.add(new TreeMap<>());
    }
  }

  void write() throws IOException {
    out.append("digraph ").append(quoted(group.name())).append(" {\n").append(HEAD);
    for (int rank = 0; rank < shownRanks; rank++) {
      writeRank(rank);
    }
    writeMemories();
    for (String transfer : transfers) {
      out.append(transfer);
    }
    for (String[] pair : signals.pairs()) {
      edge(pair[0], pair[1], "style=dashed, color=gray40, constraint=false");
    }
    if (shownRanks < group.rankSize()) {
      note("left_out", (group.rankSize() - shownRanks) + " more ranks are not drawn", "  ");
    }
    out.append("}\n");
  }

  private void writeRank(int rank) throws IOException {
    out.append("  subgraph cluster_r" + rank + " {\n");
    out.append("    label=\"rank " + rank + "\"; style=rounded; color=gray60;\n");
    Budget budget = new Budget(actionsPerRank);
    String end = writePlan(group.rank(rank), "r" + rank, "", budget);
    long left = group.rank(rank).expandedActionCount() - budget.drawn;
    if (left > 0) {
      String note = "r" + rank + "_left_out";
      note(note, left + " more actions are not drawn", "    ");
      edge(end, note, "style=dotted, arrowhead=none");
    }
    out.append("  }\n");
  }

  /**
   * The nodes of a rank that may still be drawn, and the number of drawn actions other than NESTED.
   */
  private static final class Budget {
    private int nodes;
    private int drawn;

    Budget(int nodes) {
      this.nodes = nodes;
    }

    boolean take() {
      return nodes-- > 0;
    }
  }

  /**
   * Draws the actions of a plan.
   *
   * @param id the prefix of its nodes' ids
   * @param place where it is nested, equal on all ranks; empty for a rank's own plan
   * @return the node that ends its main stream
   */
  private String writePlan(RankPlan plan, String id, String place, Budget budget)
      throws IOException {
    Map<Integer, String> ends = new TreeMap<>();
    int nested = 0;
    for (int stream = 0; stream < plan.streamCount(); stream++) {
      if (stream == 0 || uses(plan, stream)) {
        ends.put(stream, streamNode(id, place, stream));
      }
    }
    signals.enter(place, plan);
    for (int action = 0; action < plan.actionCount() && budget.take(); action++) {
      String node = id + "_" + action;
      String before = ends.getOrDefault(plan.stream(action), id);
      node(node, plan.describe(action), color(plan, action), plan.source(action));
      edge(before, node, "weight=10");
      if (plan.kind(action) == ActionKind.NESTED) {
        String inner = writePlan(plan.nested(action), node, place + "/" + nested++, budget);
        ends.put(plan.stream(action), inner);
        continue;
      }
      budget.drawn++;
      ends.put(plan.stream(action), node);
      if (plan.kind(action).isSync()) {
        signals.add(place, plan, action, node);
      } else {
        addTransfers(plan, action, node);
      }
    }
    return ends.getOrDefault(0, id);
  }

  private static boolean uses(RankPlan plan, int stream) {
    for (int action = 0; action < plan.actionCount(); action++) {
      if (plan.stream(action) == stream) {
        return true;
      }
    }
    return false;
  }

  /** The head of a stream's row; a nested plan's streams begin at its NESTED action. */
  private String streamNode(String id, String place, int stream) throws IOException {
    String head = id + "_s" + stream;
    if (!place.isEmpty() && stream == 0) {
      return id;
    }
    String label = stream == 0 ? "main stream" : "stream " + stream;
    out.append("    " + head + " [label=\"" + label + "\", shape=plaintext, fillcolor=none];\n");
    if (!place.isEmpty()) {
      edge(id, head, "weight=1");
    }
    return head;
  }

  private static String color(RankPlan plan, int action) {
    return switch (plan.kind(action)) {
      case COPY -> "\"#e3f0ff\"";
      case REDUCE, REDUCE_FROM -> "\"#e2f5e2\"";
      case POST -> "\"#fff3d6\"";
      case AWAIT -> "\"#ffe6e0\"";
      case NESTED -> "\"#eeeeee\"";
    };
  }

  // ---- data between ranks

  private void addTransfers(RankPlan plan, int action, String node) {
    String bytes = plan.bytes(action) + " B";
    if (plan.dstRank(action) != plan.rank()) {
      String memory = memory(plan.dstRank(action), plan.dstType(action));
      transfers.add(transfer(node, memory, bytes));
    }
    for (int source = 0; source < plan.sourceCount(action); source++) {
      if (plan.srcRank(action, source) != plan.rank()) {
        String memory = memory(plan.srcRank(action, source), plan.srcType(action, source));
        transfers.add(transfer(memory, node, bytes));
      }
    }
  }

  private String memory(int rank, TransportMemType type) {
    return memories
        .get(rank)
        .computeIfAbsent(type, t -> "r" + rank + "_mem_" + t.label().replace('-', '_'));
  }

  private static String transfer(String from, String to, String label) {
    return "  "
        + from
        + " -> "
        + to
        + " [color=\"#1f5fbf\", penwidth=2, constraint=false, label=\""
        + label
        + "\"];\n";
  }

  private void writeMemories() throws IOException {
    for (int rank = 0; rank < memories.size(); rank++) {
      if (memories.get(rank).isEmpty()) {
        continue;
      }
      out.append("  subgraph cluster_r" + rank + " {\n");
      if (rank >= shownRanks) {
        out.append("    label=\"rank " + rank + " (actions not drawn)\"; color=gray60;\n");
      }
      for (Map.Entry<TransportMemType, String> memory : memories.get(rank).entrySet()) {
        out.append("    " + memory.getValue() + " [label=\"" + memory.getKey().label())
            .append("\", shape=cylinder, fillcolor=\"#f4f4f4\"];\n");
      }
      out.append("  }\n");
    }
  }

  // ---- DOT

  private void node(String id, String label, String color, String tooltip) throws IOException {
    out.append(
            "    "
                + id
                + " [label="
                + quoted(label).replace(" = ", "\\n= ")
                + ", fillcolor="
                + color
                + ", tooltip=")
        .append(quoted(tooltip) + "];\n");
  }

  private void edge(String from, String to, String attributes) throws IOException {
    out.append("    " + from + " -> " + to + " [" + attributes + "];\n");
  }

  private void note(String id, String text, String indent) throws IOException {
    out.append(indent + id + " [label=" + quoted(text) + ", shape=note, fillcolor=lightyellow];\n");
  }

  /** Text in quotes, with escaped backslashes and quotes; control characters become spaces. */
  private static String quoted(String text) {
    String visible = text.replaceAll("\\p{Cntrl}", " ");
    return "\"" + visible.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
  }

  /** Finds the AWAIT that each POST of a drawing releases. */
  private static final class Signals {

    private final Map<Place, RankPlan> plans = new HashMap<>();
    private final Map<Cell, List<String>> awaits = new HashMap<>();
    private final List<Post> posts = new ArrayList<>();

    /** A rank's plan, by where it is nested. */
    private record Place(String place, int rank) {}

    /** A notify: one of a rank, or one at a rank's end of a link. */
    private record Cell(String place, int rank, int link, int index) {}

    private record Post(String place, RankPlan plan, int action, String node) {}

    /** Registers a plan before its actions are added. */
    void enter(String place, RankPlan plan) {
      plans.put(new Place(place, plan.rank()), plan);
    }

    /** Adds a POST or AWAIT; those of one plan in their order. */
    void add(String place, RankPlan plan, int action, String node) {
      if (plan.kind(action) == ActionKind.POST) {
        posts.add(new Post(place, plan, action, node));
      } else {
        Cell cell = new Cell(place, plan.rank(), plan.link(action), plan.notify(action));
        awaits.computeIfAbsent(cell, c -> new ArrayList<>()).add(node);
      }
    }

    /** The nodes of each POST and of the AWAIT that it releases, where both are drawn. */
    List<String[]> pairs() {
      List<String[]> pairs = new ArrayList<>();
      Map<Cell, Integer> posted = new LinkedHashMap<>();
      for (Post post : posts) {
        Cell cell = target(post);
        List<String> waiting = cell == null ? List.of() : awaits.getOrDefault(cell, List.of());
        int count = cell == null ? 0 : posted.merge(cell, 1, Integer::sum) - 1;
        if (count < waiting.size()) {
          pairs.add(new String[] {post.node, waiting.get(count)});
        }
      }
      return pairs;
    }

    private @Nullable Cell target(Post post) {
      int link = post.plan.link(post.action);
      int index = post.plan.notify(post.action);
      if (link == RankPlan.NO_LINK) {
        return new Cell(post.place, post.plan.rank(), link, index);
      }
      int peer = post.plan.linkPeer(link);
      RankPlan other = plans.get(new Place(post.place, peer));
      int reverse = other == null ? -1 : GroupPlan.reverseLink(post.plan, other, link);
      return reverse < 0 ? null : new Cell(post.place, peer, reverse, index);
    }
  }
}
