package dev.tutti.plan;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.TransportMemType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Collects the actions of one rank after another in the same growing arrays. Not thread-safe. */
final class PlanBuilder {

  private static final int NO_SOURCE = -1;

  private final Interner interner;

  private int rank;
  private int streamCount;
  private int notifyCount;
  private long[] memSizes = {};
  private LinkTable links = LinkTable.EMPTY;

  private int actions;
  private int[] codes = new int[16];

  /** The meaning of each code: a head of {@link Actions} above 32 bits of argument. */
  private final FirstUse meanings = new FirstUse();

  private final FirstUse usedLinks = new FirstUse();

  private int data;
  private int[] dstMem = new int[8];
  private long[] dstOffset = new long[8];
  private int[] srcMem = new int[8];
  private long[] srcOffset = new long[8];
  private long[] bytes = new long[8];
  private final FirstUse peers = new FirstUse();

  private int listed;
  private int[] listedMem = {};
  private long[] listedOffset = {};

  private final List<RankPlan> nested = new ArrayList<>();
  private final IdentityHashMap<RankPlan, Integer> nestedIndex = new IdentityHashMap<>();
  private boolean hasSources;
  private int[] sourceIds = {};
  private final List<String> sources = new ArrayList<>();
  private final Map<String, Integer> sourceIndex = new HashMap<>();

  /** A builder of plans that share their equal parts. Call {@link #start} first. */
  PlanBuilder(Interner interner) {
    this.interner = interner;
  }

  PlanBuilder(
      Interner interner,
      int rank,
      int streamCount,
      int notifyCount,
      long[] memSizes,
      LinkTable links) {
    this(interner);
    start(rank, streamCount, notifyCount, memSizes, links);
  }

  /**
   * Forgets the last plan and begins another one.
   *
   * @param memSizes must not change afterwards
   */
  void start(int rank, int streamCount, int notifyCount, long[] memSizes, LinkTable links) {
    this.rank = rank;
    this.streamCount = streamCount;
    this.notifyCount = notifyCount;
    this.memSizes = memSizes;
    this.links = links;
    if (hasSources) {
      // Clears only what the last plan used, so one long plan does not make all later ones slow.
      Arrays.fill(sourceIds, 0, Math.min(actions, sourceIds.length), NO_SOURCE);
      hasSources = false;
    }
    actions = 0;
    meanings.clear();
    usedLinks.clear();
    data = 0;
    peers.clear();
    peers.number(rank);
    listed = 0;
    nested.clear();
    nestedIndex.clear();
    sources.clear();
    sourceIndex.clear();
  }

  // ---- what the plan declares

  int rank() {
    return rank;
  }

  int streamCount() {
    return streamCount;
  }

  void setStreamCount(int count) {
    streamCount = count;
  }

  int notifyCount() {
    return notifyCount;
  }

  void setNotifyCount(int count) {
    notifyCount = count;
  }

  void setMemSize(TransportMemType type, long size) {
    memSizes = memSizes.clone();
    memSizes[type.ordinal()] = size;
  }

  LinkTable links() {
    return links;
  }

  /** The highest stream with an action; 0 if there is none. */
  int highestStream() {
    int highest = 0;
    for (long meaning : meanings.keys()) {
      highest = Math.max(highest, Actions.stream((int) (meaning >>> 32)));
    }
    return highest;
  }

  /** The highest notify between streams that an action names, or -1. */
  int highestOwnNotify() {
    int highest = -1;
    for (long meaning : meanings.keys()) {
      highest = Math.max(highest, -1 - (int) meaning);
    }
    return highest;
  }

  /** Removes a stream and renumbers those above it; false if there is an action on it. */
  boolean removeStream(int stream) {
    for (long meaning : meanings.keys()) {
      if (Actions.stream((int) (meaning >>> 32)) == stream) {
        return false;
      }
    }
    long oneLess = (long) Actions.STREAM_UNIT << 32;
    meanings.replaceKeys(
        meaning -> Actions.stream((int) (meaning >>> 32)) > stream ? meaning - oneLess : meaning);
    streamCount--;
    return true;
  }

  /** Removes a link and renumbers those above it; false if there is an action on it. */
  boolean removeLink(int link) {
    if (usedLinks.contains(link)) {
      return false;
    }
    links = links.without(link);
    usedLinks.replaceKeys(used -> used > link ? used - 1 : used);
    return true;
  }

  // ---- actions

  /** Adds a COPY or, with a type and a reduction, a REDUCE. */
  void addData(
      ActionKind kind,
      int stream,
      DeviceMem dst,
      DeviceMem src,
      @Nullable DataType dataType,
      @Nullable ReduceOp reduceOp) {
    addData(kind, stream, dst, code(src), src.offset(), dataType, reduceOp);
  }

  /** Adds a REDUCE_FROM. */
  void addReduceFrom(
      int stream, DeviceMem dst, List<DeviceMem> from, DataType dataType, ReduceOp reduceOp) {
    int first = listed;
    // The first entry holds the number of sources instead of a memory. Its offset has no meaning;
    // this value does not break a run.
    list(from.size(), from.getFirst().offset());
    for (DeviceMem source : from) {
      list(code(source), source.offset());
    }
    addData(ActionKind.REDUCE_FROM, stream, dst, first, dst.offset(), dataType, reduceOp);
  }

  private void list(int mem, long offset) {
    if (listed == listedMem.length) {
      int size = Math.max(8, listed * 2);
      listedMem = Arrays.copyOf(listedMem, size);
      listedOffset = Arrays.copyOf(listedOffset, size);
    }
    listedMem[listed] = mem;
    listedOffset[listed++] = offset;
  }

  private void addData(
      ActionKind kind,
      int stream,
      DeviceMem dst,
      int source,
      long offset,
      @Nullable DataType dataType,
      @Nullable ReduceOp reduceOp) {
    if (data == bytes.length) {
      int size = data * 2;
      dstMem = Arrays.copyOf(dstMem, size);
      dstOffset = Arrays.copyOf(dstOffset, size);
      srcMem = Arrays.copyOf(srcMem, size);
      srcOffset = Arrays.copyOf(srcOffset, size);
      bytes = Arrays.copyOf(bytes, size);
    }
    dstMem[data] = code(dst);
    dstOffset[data] = dst.offset();
    srcMem[data] = source;
    srcOffset[data] = offset;
    bytes[data] = dst.size();
    data++;
    int head =
        dataType == null || reduceOp == null
            ? Actions.head(kind, stream, 0, 0)
            : Actions.head(kind, stream, dataType.ordinal(), reduceOp.ordinal());
    add(head, 0);
  }

  private int code(DeviceMem mem) {
    return peers.number(mem.rank()) << 3 | mem.type().ordinal();
  }

  void addLocalSync(ActionKind kind, int stream, int notify) {
    add(Actions.head(kind, stream, 0, 0), -1 - notify);
  }

  void addLinkSync(ActionKind kind, int stream, int link, int notify) {
    int place = usedLinks.number(link);
    add(Actions.head(kind, stream, 0, 0), place << LinkTable.NOTIFY_BITS | notify);
  }

  /** Adds a run of a nested plan; a plan that runs several times is stored once. */
  void addNested(int stream, RankPlan plan) {
    int index = nestedIndex.computeIfAbsent(plan, added -> nested.size());
    if (index == nested.size()) {
      nested.add(plan);
    }
    add(Actions.head(ActionKind.NESTED, stream, 0, 0), index);
  }

  private void add(int head, int argument) {
    if (actions == codes.length) {
      grow();
    }
    codes[actions++] = meanings.number((long) head << 32 | (argument & 0xffff_ffffL));
  }

  private void grow() {
    if (actions == Integer.MAX_VALUE - 16) {
      throw new TuttiException(
          ErrorCode.RESOURCE_MISMATCH, "a plan of rank %d has too many actions", rank);
    }
    codes = Arrays.copyOf(codes, (int) Math.min(Integer.MAX_VALUE - 16L, actions * 2L));
  }

  /** Sets the source line of the last action; other actions have none. */
  void setSource(String source) {
    hasSources = true;
    ensureSourceIds(codes.length);
    sourceIds[actions - 1] = sourceId(source);
  }

  private int sourceId(String source) {
    Integer known = sourceIndex.get(source);
    if (known == null) {
      known = sources.size();
      sources.add(source);
      sourceIndex.put(source, known);
    }
    return known;
  }

  int actionCount() {
    return actions;
  }

  RankPlan build() {
    Column dstOffsets = interner.value(Column.of(dstOffset, data));
    boolean isSymmetric = Arrays.equals(dstOffset, 0, data, srcOffset, 0, data);
    Operands operands =
        new Operands(
            peers.intKeys(),
            interner.ints(dstMem, data),
            dstOffsets,
            interner.ints(srcMem, data),
            isSymmetric ? dstOffsets : interner.value(Column.of(srcOffset, data)),
            interner.value(Column.of(bytes, data)),
            interner.ints(listedMem, listed),
            listed == 0 ? Column.EMPTY : interner.value(Column.of(listedOffset, listed)));
    return new RankPlan(
        rank,
        streamCount,
        notifyCount,
        memSizes,
        links,
        interner.actions(codes, actions, meanings),
        interner.ints(usedLinks.intKeys(), usedLinks.count()),
        operands,
        nested,
        hasSources ? sourceIds() : null,
        interner.value(List.copyOf(sources)));
  }

  private int[] sourceIds() {
    ensureSourceIds(actions);
    return interner.ints(sourceIds, actions);
  }

  private void ensureSourceIds(int size) {
    int old = sourceIds.length;
    if (size > old) {
      sourceIds = Arrays.copyOf(sourceIds, size);
      Arrays.fill(sourceIds, old, size, NO_SOURCE);
    }
  }
}
