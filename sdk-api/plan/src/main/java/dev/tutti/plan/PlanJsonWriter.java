package dev.tutti.plan;

import static java.util.Objects.requireNonNull;

import dev.tutti.plan.json.JsonWriter;
import dev.tutti.plan.work.Work;
import dev.tutti.sdk.resource.TransportMemType;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes the format of {@link PlanJson}, one action per line. */
final class PlanJsonWriter {

  private final JsonWriter out;

  PlanJsonWriter(Appendable target) {
    this.out = new JsonWriter(target);
  }

  void write(PlanJson.Content file) {
    GroupPlan plan = file.plan();
    out.open('{');
    out.line(2).name("format").value(PlanJson.FORMAT);
    out.line(2).name("name").value(plan.name());
    if (!file.request().isEmpty()) {
      out.line(2).name("request").value(file.request());
    }
    out.line(2).name("inPlace").value(plan.inPlace());
    out.line(2).name("ranks").open('[');
    try (Work work = Work.begin("writing", plan.rankSize())) {
      for (RankPlan rank : plan.ranks()) {
        writeRank(rank);
        work.step();
      }
    }
    out.close(']', 2).close('}', 0);
    out.finish();
  }

  private void writeRank(RankPlan plan) {
    IdentityHashMap<RankPlan, Integer> nested = new IdentityHashMap<>();
    List<RankPlan> inOrder = new ArrayList<>();
    number(plan, nested, inOrder);
    inOrder.removeLast();
    out.line(4).open('{');
    out.line(6).name("rank").value(plan.rank());
    writeResources(plan, 6);
    if (!inOrder.isEmpty()) {
      out.line(6).name("plans").open('[');
      for (RankPlan inner : inOrder) {
        out.line(8).open('{');
        writeResources(inner, 10);
        writeActions(inner, nested, 10);
        out.close('}', 8);
      }
      out.close(']', 6);
    }
    writeActions(plan, nested, 6);
    out.close('}', 4);
  }

  /** Numbers all the plans that a plan runs, then the plan itself; each once. */
  private static void number(
      RankPlan plan, IdentityHashMap<RankPlan, Integer> numbers, List<RankPlan> inOrder) {
    if (!numbers.containsKey(plan)) {
      plan.nestedPlans().forEach(inner -> number(inner, numbers, inOrder));
      numbers.put(plan, inOrder.size());
      inOrder.add(plan);
    }
  }

  private void writeResources(RankPlan plan, int indent) {
    out.line(indent).name("streams").value(plan.streamCount());
    out.line(indent).name("notifies").value(plan.notifyCount());
    out.line(indent).name("memory").open('{');
    for (TransportMemType type : LabelTable.MEM_TYPES.values()) {
      if (plan.memSize(type) > 0) {
        out.name(LabelTable.MEM_TYPES.label(type)).value(plan.memSize(type));
      }
    }
    out.close('}');
    if (plan.linkCount() > 0) {
      out.line(indent).name("links").open('[');
      for (int link = 0; link < plan.linkCount(); link++) {
        out.line(indent + 2);
        writeLink(plan.links().kind(link), plan.linkPeer(link));
      }
      out.close(']', indent);
    }
  }

  private void writeLink(LinkKind link, int peer) {
    out.open('{').name("plane").value(LabelTable.PLANES.label(link.plane()));
    out.name("subComm").value(link.subComm());
    out.name("peer").value(peer);
    out.name("protocol").value(LabelTable.PROTOCOLS.label(link.protocol()));
    out.name("ack").value(link.acknowledges());
    out.name("notifies").value(link.notifyCount());
    out.name("input").value(LabelTable.MEM_TYPES.label(link.inputMemType()));
    out.name("output").value(LabelTable.MEM_TYPES.label(link.outputMemType()));
    out.close('}');
  }

  // ---- actions

  private void writeActions(RankPlan plan, IdentityHashMap<RankPlan, Integer> nested, int indent) {
    Map<String, Integer> lines = lines(plan);
    if (!lines.isEmpty()) {
      out.line(indent).name("lines").open('[');
      for (String line : lines.keySet()) {
        out.line(indent + 2).value(line);
      }
      out.close(']', indent);
    }
    out.line(indent).name("actions").open('[');
    for (int action = 0; action < plan.actionCount(); action++) {
      out.line(indent + 2).open('{');
      writeAction(plan, action, nested);
      if (!lines.isEmpty()) {
        out.name("line").value(requireNonNull(lines.get(plan.source(action))));
      }
      out.close('}');
    }
    if (plan.actionCount() == 0) {
      out.close(']');
    } else {
      out.close(']', indent);
    }
  }

  /** The source lines in the order of their first use; empty if none were recorded. */
  private static Map<String, Integer> lines(RankPlan plan) {
    Map<String, Integer> lines = new LinkedHashMap<>();
    for (int action = 0; plan.hasSources() && action < plan.actionCount(); action++) {
      lines.putIfAbsent(plan.source(action), lines.size());
    }
    return lines;
  }

  private void writeAction(RankPlan plan, int action, IdentityHashMap<RankPlan, Integer> nested) {
    ActionKind kind = plan.kind(action);
    out.name("kind").value(LabelTable.KINDS.label(kind));
    out.name("stream").value(plan.stream(action));
    switch (kind) {
      case COPY, REDUCE, REDUCE_FROM -> writeData(plan, action, kind);
      case POST, AWAIT -> {
        if (plan.link(action) != RankPlan.NO_LINK) {
          out.name("link").value(plan.link(action));
        }
        out.name("notify").value(plan.notify(action));
      }
      case NESTED -> out.name("plan").value(requireNonNull(nested.get(plan.nested(action))));
    }
  }

  private void writeData(RankPlan plan, int action, ActionKind kind) {
    out.name("dst");
    writeMem(plan.dstRank(action), plan.dstType(action), plan.dstOffset(action));
    if (kind == ActionKind.REDUCE_FROM) {
      out.name("srcs").open('[');
      for (int source = 0; source < plan.sourceCount(action); source++) {
        writeSource(plan, action, source);
      }
      out.close(']');
    } else {
      out.name("src");
      writeSource(plan, action, 0);
    }
    out.name("bytes").value(plan.bytes(action));
    if (kind != ActionKind.COPY) {
      out.name("type").value(LabelTable.DATA_TYPES.label(plan.dataType(action)));
      out.name("op").value(LabelTable.REDUCE_OPS.label(plan.reduceOp(action)));
    }
  }

  private void writeSource(RankPlan plan, int action, int source) {
    writeMem(
        plan.srcRank(action, source), plan.srcType(action, source), plan.srcOffset(action, source));
  }

  private void writeMem(int rank, TransportMemType type, long offset) {
    out.open('[').value(rank).value(LabelTable.MEM_TYPES.label(type)).value(offset).close(']');
  }
}
