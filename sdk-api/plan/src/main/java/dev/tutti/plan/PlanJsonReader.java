package dev.tutti.plan;

import dev.tutti.plan.json.JsonReader;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Names;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.resource.TransportRequest;
import dev.tutti.sdk.topology.CommPlane;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the format of {@link PlanJson}. The reader checks each rank's plan on its own while
 * reading, and its errors name line and column. {@link PlanCheck} checks the rest at the end.
 */
final class PlanJsonReader {

  /** The most characters of all source lines of one plan. */
  private static final int MAX_LINE_CHARS = 1 << 24;

  private static final LabelTable<TopField> TOP_FIELDS =
      new LabelTable<>("field of a plan file", TopField.values(), field -> field.label);
  private static final LabelTable<RankField> RANK_FIELDS =
      new LabelTable<>("field of a rank", RankField.values(), field -> field.label);
  private static final LabelTable<LinkField> LINK_FIELDS =
      new LabelTable<>("field of a link", LinkField.values(), field -> field.label);

  private enum TopField {
    FORMAT("format"),
    NAME("name"),
    REQUEST("request"),
    IN_PLACE("inPlace"),
    RANKS("ranks");

    private final String label;

    TopField(String label) {
      this.label = label;
    }
  }

  private enum RankField {
    RANK("rank"),
    STREAMS("streams"),
    NOTIFIES("notifies"),
    MEMORY("memory"),
    LINKS("links"),
    PLANS("plans"),
    LINES("lines"),
    ACTIONS("actions");

    private final String label;

    RankField(String label) {
      this.label = label;
    }
  }

  private enum LinkField {
    PLANE("plane"),
    SUB_COMM("subComm"),
    PEER("peer"),
    PROTOCOL("protocol"),
    ACK("ack"),
    NOTIFIES("notifies"),
    INPUT("input"),
    OUTPUT("output");

    private final String label;

    LinkField(String label) {
      this.label = label;
    }
  }

  private final JsonReader in;
  private final ActionReader actions;
  private final Interner interner = new Interner();
  private final IdentityHashMap<RankPlan, String> paths = new IdentityHashMap<>();

  PlanJsonReader(Reader source) {
    this.in = new JsonReader(source, "plan file", ErrorCode.INVALID_PLAN);
    this.actions = new ActionReader(in);
  }

  PlanJson.Content read() throws IOException {
    String name = null;
    String request = "";
    Boolean inPlace = null;
    List<RankPlan> ranks = List.of();
    in.beginObject();
    if (!in.hasNext() || !in.name().equals("format")) {
      throw in.broken(
          "a plan file must begin with the field \"format\": \"%s\"; write one with 'tutti plan"
              + " --format json', or with PlanJson",
          PlanJson.FORMAT);
    }
    String format = in.string("the format");
    if (!format.equals(PlanJson.FORMAT)) {
      throw in.broken(
          "the format must be '%s'. Actual: '%s'; write the plan again with this version",
          PlanJson.FORMAT, Names.shown(format));
    }
    while (in.hasNext()) {
      switch (TOP_FIELDS.at(in, in.name())) {
        case NAME -> name = in.string("the name");
        case REQUEST -> request = in.string("the request");
        case IN_PLACE -> inPlace = in.bool("inPlace");
        case RANKS -> ranks = readRanks();
        case FORMAT -> throw new AssertionError("a field must not appear twice");
      }
    }
    if (name == null || inPlace == null || ranks.isEmpty()) {
      throw in.broken("a plan file must have the fields name, inPlace and ranks, and a rank");
    }
    in.end();
    in.endOfText();
    GroupPlan plan = new GroupPlan(name, inPlace, ranks);
    PlanCheck.ofFile(plan, paths);
    return new PlanJson.Content(plan, request);
  }

  private List<RankPlan> readRanks() throws IOException {
    List<RankPlan> ranks = new ArrayList<>();
    in.beginArray();
    while (in.hasNext()) {
      if (ranks.size() == ActionReader.MAX_RANKS) {
        throw in.broken("a plan has at most %d ranks", ActionReader.MAX_RANKS);
      }
      RankPlan plan = readPlan(ranks.size(), null);
      paths.put(plan, "$.ranks[" + ranks.size() + "]");
      ranks.add(plan);
    }
    in.end();
    return ranks;
  }

  // ---- one plan

  /** The fields of a plan that have been read so far; -1 or null for the others. */
  private static final class Draft {
    private int streams = -1;
    private int notifies = -1;
    private long @Nullable [] memSizes;
    private LinkTable links = LinkTable.EMPTY;

    /** The number in the table of each link, by its place in the file. */
    private int[] linkNumbers = {};

    private List<RankPlan> plans = new ArrayList<>();
    private @Nullable List<String> lines;
  }

  /**
   * Reads the plan of a rank, or one of its nested plans.
   *
   * @param rank the rank whose plan it is
   * @param earlier the nested plans before this one; null if it is the rank's own plan
   */
  private RankPlan readPlan(int rank, @Nullable List<RankPlan> earlier) throws IOException {
    Draft draft = new Draft();
    if (earlier != null) {
      draft.plans = earlier;
    }
    boolean hasRank = false;
    RankPlan plan = null;
    in.beginObject();
    while (in.hasNext()) {
      RankField field = RANK_FIELDS.at(in, in.name());
      if (plan != null) {
        throw in.broken("'%s' must come before 'actions'; move it", field.label);
      }
      if (earlier != null && (field == RankField.RANK || field == RankField.PLANS)) {
        throw in.broken("a nested plan has no field '%s'; remove it", field.label);
      }
      switch (field) {
        case RANK -> {
          in.number("the rank, equal to its place in the list,", rank, rank);
          hasRank = true;
        }
        case STREAMS ->
            draft.streams = (int) in.number("streams", 1, AlgResourceRequest.MAX_STREAMS + 1);
        case NOTIFIES -> draft.notifies = (int) in.number("notifies", 0, Integer.MAX_VALUE);
        case MEMORY -> draft.memSizes = readMemory();
        case LINKS -> readLinks(rank, draft);
        case PLANS -> readNested(rank, draft.plans);
        case LINES -> draft.lines = readLines();
        case ACTIONS -> plan = readActions(rank, draft);
      }
    }
    if (plan == null || (earlier == null && !hasRank)) {
      throw in.broken("the field '%s' is missing; add it", plan == null ? "actions" : "rank");
    }
    in.end();
    return plan;
  }

  private RankPlan readActions(int rank, Draft draft) throws IOException {
    if (draft.streams < 0 || draft.notifies < 0 || draft.memSizes == null) {
      throw in.broken("the fields streams, notifies and memory must come before 'actions'");
    }
    PlanBuilder builder =
        new PlanBuilder(interner, rank, draft.streams, draft.notifies, draft.memSizes, draft.links);
    ActionReader.Context context =
        new ActionReader.Context(
            rank,
            draft.streams,
            draft.notifies,
            draft.links,
            draft.linkNumbers,
            draft.plans,
            draft.lines);
    in.beginArray();
    while (in.hasNext()) {
      actions.read(context, builder);
    }
    in.end();
    return builder.build();
  }

  private void readNested(int rank, List<RankPlan> plans) throws IOException {
    in.beginArray();
    while (in.hasNext()) {
      RankPlan plan = readPlan(rank, plans);
      paths.put(plan, "$.ranks[" + rank + "].plans[" + plans.size() + "]");
      plans.add(plan);
    }
    in.end();
  }

  private List<String> readLines() throws IOException {
    List<String> lines = new ArrayList<>();
    long chars = 0;
    in.beginArray();
    while (in.hasNext()) {
      String line = in.string("a source line");
      chars += line.length();
      if (chars > MAX_LINE_CHARS) {
        throw in.broken("source lines have at most %d characters together", MAX_LINE_CHARS);
      }
      lines.add(line);
    }
    in.end();
    return lines;
  }

  private long[] readMemory() throws IOException {
    long[] sizes = new long[LabelTable.MEM_TYPES.values().size()];
    in.beginObject();
    while (in.hasNext()) {
      TransportMemType type = LabelTable.MEM_TYPES.at(in, in.name());
      sizes[type.ordinal()] = in.number("the size of a memory", 0, Long.MAX_VALUE);
    }
    in.end();
    return sizes;
  }

  // ---- links

  private void readLinks(int rank, Draft draft) throws IOException {
    List<LinkTable.Entry> entries = new ArrayList<>();
    in.beginArray();
    while (in.hasNext()) {
      if (entries.size() == LinkTable.MAX_LINKS) {
        throw in.broken("a rank has at most %d links", LinkTable.MAX_LINKS);
      }
      entries.add(readLink(rank));
    }
    draft.links = LinkTable.of(entries, interner);
    draft.linkNumbers = new int[entries.size()];
    boolean[] isTaken = new boolean[entries.size()];
    for (int i = 0; i < entries.size(); i++) {
      LinkTable.Entry entry = entries.get(i);
      int number = draft.links.find(entry.kind().plane(), entry.kind().subComm(), entry.peer());
      if (isTaken[number]) {
        throw in.broken(
            "the link to rank %d in %s appears twice; remove one",
            entry.peer(), entry.kind().key());
      }
      isTaken[number] = true;
      draft.linkNumbers[i] = number;
    }
    in.end();
  }

  private LinkTable.Entry readLink(int rank) throws IOException {
    CommPlane plane = null;
    int subComm = -1;
    int peer = -1;
    Protocol protocol = null;
    Boolean acknowledges = null;
    int notifies = -1;
    TransportMemType input = null;
    TransportMemType output = null;
    in.beginObject();
    while (in.hasNext()) {
      switch (LINK_FIELDS.at(in, in.name())) {
        case PLANE -> plane = LabelTable.PLANES.read(in, "a plane");
        case SUB_COMM -> subComm = (int) in.number("subComm", 0, Integer.MAX_VALUE);
        case PEER -> peer = readPeer(rank);
        case PROTOCOL -> protocol = LabelTable.PROTOCOLS.read(in, "a protocol");
        case ACK -> acknowledges = in.bool("ack");
        case NOTIFIES ->
            notifies =
                (int)
                    in.number(
                        "notifies of a link", Link.PAIRED_NOTIFIES, TransportRequest.MAX_NOTIFIES);
        case INPUT -> input = LabelTable.MEM_TYPES.read(in, "a memory kind");
        case OUTPUT -> output = LabelTable.MEM_TYPES.read(in, "a memory kind");
      }
    }
    if (plane == null
        || subComm < 0
        || peer < 0
        || protocol == null
        || acknowledges == null
        || notifies < 0
        || input == null
        || output == null) {
      throw in.broken(
          "a link must have the fields plane, subComm, peer, protocol, ack, notifies, input and"
              + " output");
    }
    in.end();
    LinkKind kind = new LinkKind(plane, subComm, protocol, acknowledges, notifies, input, output);
    return new LinkTable.Entry(interner.value(kind), peer);
  }

  private int readPeer(int rank) throws IOException {
    int peer = (int) in.number("peer", 0, ActionReader.MAX_RANKS - 1);
    if (peer == rank) {
      throw in.broken("a link must lead to another rank. Actual: %d", peer);
    }
    return peer;
  }
}
