package dev.tutti.sdk.plan;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.resource.DeviceMem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Collects the actions of one rank in growing arrays. Not thread-safe. */
final class PlanBuilder {

  private final int rank;
  private final int streamCount;
  private final int notifyCount;
  private final long[] memSizes;
  private final LinkTable links;

  private int actions;
  private int[] head = new int[16];
  private int[] argument = new int[16];

  private int data;
  private int[] dstMem = new int[8];
  private long[] dstOffset = new long[8];
  private int[] srcMem = new int[8];
  private long[] srcOffset = new long[8];
  private long[] bytes = new long[8];

  private int listed;
  private int[] listedMem = new int[0];
  private long[] listedOffset = new long[0];

  private final List<RankPlan> nested = new ArrayList<>();
  private final IdentityHashMap<RankPlan, Integer> nestedIndex = new IdentityHashMap<>();
  private int @Nullable [] sourceIds;
  private final List<String> sources = new ArrayList<>();
  private final Map<String, Integer> sourceIndex = new HashMap<>();

  PlanBuilder(int rank, int streamCount, int notifyCount, long[] memSizes, LinkTable links) {
    this.rank = rank;
    this.streamCount = streamCount;
    this.notifyCount = notifyCount;
    this.memSizes = memSizes;
    this.links = links;
  }

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
    for (DeviceMem source : from) {
      if (listed == listedMem.length) {
        int size = Math.max(8, listed * 2);
        listedMem = Arrays.copyOf(listedMem, size);
        listedOffset = Arrays.copyOf(listedOffset, size);
      }
      listedMem[listed] = code(source);
      listedOffset[listed++] = source.offset();
    }
    addData(ActionKind.REDUCE_FROM, stream, dst, from.size(), first, dataType, reduceOp);
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
    int traits =
        dataType == null || reduceOp == null
            ? 0
            : dataType.ordinal() << 16 | reduceOp.ordinal() << 24;
    add(kind, stream, traits, data++);
  }

  private static int code(DeviceMem mem) {
    return mem.rank() << 3 | mem.type().ordinal();
  }

  void addLocalSync(ActionKind kind, int stream, int notify) {
    add(kind, stream, 0, -1 - notify);
  }

  void addLinkSync(ActionKind kind, int stream, int link, int notify) {
    add(kind, stream, 0, link << RankPlan.LINK_NOTIFY_BITS | notify);
  }

  /** Adds a run of a nested plan; a plan that runs several times is kept once. */
  void addNested(int stream, RankPlan plan) {
    int index = nestedIndex.computeIfAbsent(plan, added -> nested.size());
    if (index == nested.size()) {
      nested.add(plan);
    }
    add(ActionKind.NESTED, stream, 0, index);
  }

  private void add(ActionKind kind, int stream, int traits, int value) {
    if (actions == Integer.MAX_VALUE - 16) {
      throw new TuttiException(
          ErrorCode.RESOURCE_MISMATCH, "a plan of rank %d has too many actions", rank);
    }
    if (actions == head.length) {
      int size = (int) Math.min(Integer.MAX_VALUE - 16L, actions * 2L);
      head = Arrays.copyOf(head, size);
      argument = Arrays.copyOf(argument, size);
      if (sourceIds != null) {
        sourceIds = Arrays.copyOf(sourceIds, size);
      }
    }
    head[actions] = kind.ordinal() | stream << 4 | traits;
    argument[actions++] = value;
  }

  /** Names the source line of the action added last. */
  void setSource(String source) {
    if (sourceIds == null) {
      sourceIds = new int[head.length];
      if (actions > 1) {
        Arrays.fill(sourceIds, 0, actions - 1, sourceId("?"));
      }
    }
    sourceIds[actions - 1] = sourceId(source);
  }

  private int sourceId(String source) {
    return sourceIndex.computeIfAbsent(
        source,
        text -> {
          sources.add(text);
          return sources.size() - 1;
        });
  }

  int actionCount() {
    return actions;
  }

  RankPlan build() {
    Operands operands =
        new Operands(
            Arrays.copyOf(dstMem, data),
            Arrays.copyOf(dstOffset, data),
            Arrays.copyOf(srcMem, data),
            Arrays.copyOf(srcOffset, data),
            Arrays.copyOf(bytes, data),
            Arrays.copyOf(listedMem, listed),
            Arrays.copyOf(listedOffset, listed));
    return new RankPlan(
        rank,
        streamCount,
        notifyCount,
        memSizes.clone(),
        links,
        Arrays.copyOf(head, actions),
        Arrays.copyOf(argument, actions),
        operands,
        nested,
        sourceIds == null ? null : Arrays.copyOf(sourceIds, actions),
        sources);
  }
}
