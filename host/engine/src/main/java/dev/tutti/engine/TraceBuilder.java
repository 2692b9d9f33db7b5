package dev.tutti.engine;

import dev.tutti.engine.trace.RunTrace;
import dev.tutti.plan.ActionKind;
import dev.tutti.plan.ActionRef;
import dev.tutti.plan.RankPlan;
import dev.tutti.sdk.resource.TransportMemType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Collects when the tasks of a run began and ended, and reports the times for the actions of the
 * plan. Not thread-safe.
 */
final class TraceBuilder {

  private final Frame.OfPlan frames;
  private final long begin;

  /** By part and action; null where nothing is recorded. */
  private final @Nullable Span[][] spans;

  /** Tasks that do the work of several copies, with their bytes. */
  private final Map<ActionPlace, Long> joined = new LinkedHashMap<>();

  private final List<RunTrace.Action> actions = new ArrayList<>();
  private final List<RunTrace.Wait> waits = new ArrayList<>();

  /** The number of the next stream of a nested plan of the rank that is walked. */
  private int nextStream;

  /** The list and thread that did an action, and the time, counted from the start of the run. */
  private record Span(int list, String thread, long from, long to) {

    /** The span of both; the list and thread are those of the one that ended last. */
    Span with(Span other) {
      Span last = other.to >= to ? other : this;
      return new Span(last.list, last.thread, Math.min(from, other.from), last.to);
    }
  }

  /** An action of a part. */
  private record ActionPlace(int part, int action) {}

  /** Where a copy reads and writes. */
  private record CopyPlace(
      int dstRank,
      TransportMemType dstType,
      long dstOffset,
      int srcRank,
      TransportMemType srcType,
      long srcOffset) {

    static CopyPlace of(RankPlan plan, int action) {
      return new CopyPlace(
          plan.dstRank(action),
          plan.dstType(action),
          plan.dstOffset(action),
          plan.srcRank(action, 0),
          plan.srcType(action, 0),
          plan.srcOffset(action, 0));
    }

    /** The place, some bytes further on. */
    CopyPlace after(long bytes) {
      return new CopyPlace(
          dstRank, dstType, dstOffset + bytes, srcRank, srcType, srcOffset + bytes);
    }
  }

  /** A stream while its actions are walked in the order of the plan. */
  private static final class Stream {
    final int number;
    long end;
    List<ActionRef> awaits = new ArrayList<>();

    Stream(int number, long end) {
      this.number = number;
      this.end = end;
    }
  }

  /**
   * A trace without any times.
   *
   * @param begin the time at which the run begins
   */
  TraceBuilder(Frame.OfPlan frames, long begin) {
    this.frames = frames;
    this.begin = begin;
    this.spans = new Span[frames.parts().size()][];
  }

  /**
   * Records some neighbouring tasks, or pieces of them.
   *
   * @param list the static list that holds them, or the worker that ran them
   * @param thread the name of its thread
   */
  void note(TaskArrays tasks, int first, int count, int list, String thread, long from, long to) {
    Span span = new Span(list, thread, from - begin, to - begin);
    for (int task = first; task < first + count; task++) {
      int part = tasks.part[task];
      int action = tasks.action[task];
      RankPlan plan = plan(part);
      if (spans[part] == null) {
        spans[part] = new Span[plan.actionCount()];
      }
      if (tasks.bytes[task] > plan.bytes(action)) {
        joined.put(new ActionPlace(part, action), tasks.bytes[task]);
      }
      Span known = spans[part][action];
      spans[part][action] = known == null ? span : known.with(span);
    }
  }

  private RankPlan plan(int part) {
    return frames.parts().get(part).plan;
  }

  private boolean isNoted(int part, int action) {
    return spans[part] != null && spans[part][action] != null;
  }

  /** If one task did several contiguous copies, gives its span to each of them. */
  private void separate() {
    Map<CopyPlace, Deque<ActionPlace>> left = joined.isEmpty() ? Map.of() : copiesLeft();
    joined.forEach(
        (first, bytes) -> {
          Span span = spans[first.part][first.action];
          CopyPlace place = CopyPlace.of(plan(first.part), first.action);
          long done = plan(first.part).bytes(first.action);
          while (done < bytes) {
            Deque<ActionPlace> found = left.get(place.after(done));
            ActionPlace next = found == null ? null : found.poll();
            if (next == null) {
              return;
            }
            if (spans[next.part] == null) {
              spans[next.part] = new Span[plan(next.part).actionCount()];
            }
            spans[next.part][next.action] = span;
            done += plan(next.part).bytes(next.action);
          }
        });
  }

  /** The copies that are not recorded, by their places. */
  private Map<CopyPlace, Deque<ActionPlace>> copiesLeft() {
    Map<CopyPlace, Deque<ActionPlace>> left = new HashMap<>();
    for (int part = 0; part < spans.length; part++) {
      RankPlan plan = plan(part);
      for (int action = 0; action < plan.actionCount(); action++) {
        if (plan.kind(action) == ActionKind.COPY && !isNoted(part, action)) {
          left.computeIfAbsent(CopyPlace.of(plan, action), place -> new ArrayDeque<>())
              .add(new ActionPlace(part, action));
        }
      }
    }
    return left;
  }

  /** The recorded actions, and the waits between them. */
  RunTrace build(long nanos) {
    separate();
    Frame root = frames.root();
    for (int rank = 0; rank < root.rankSize(); rank++) {
      nextStream = root.part(rank).plan.streamCount();
      List<Stream> streams = new ArrayList<>();
      for (int stream = 0; stream < nextStream; stream++) {
        streams.add(new Stream(stream, 0));
      }
      walk(root, root.part(rank), streams);
    }
    return new RunTrace(nanos, actions, waits);
  }

  private void walk(Frame frame, Frame.Part part, List<Stream> streams) {
    RankPlan plan = part.plan;
    for (int action = 0; action < plan.actionCount(); action++) {
      Stream stream = streams.get(plan.stream(action));
      ActionKind kind = plan.kind(action);
      if (kind == ActionKind.NESTED) {
        nest(frame.nested(part.nestedNumber(action)), plan.rank(), stream);
      } else if (kind == ActionKind.AWAIT) {
        stream.awaits.add(ref(plan, action, stream));
      } else if (kind.isData()) {
        if (isNoted(part.id, action)) {
          add(stream, ref(plan, action, stream), spans[part.id][action]);
        }
      }
    }
  }

  /**
   * Walks a nested plan. The stream that runs it is its main stream, and then waits for all of its
   * streams.
   */
  private void nest(Frame frame, int rank, Stream caller) {
    Frame.Part part = frame.part(rank);
    List<Stream> streams = new ArrayList<>();
    streams.add(caller);
    for (int stream = 1; stream < part.plan.streamCount(); stream++) {
      streams.add(new Stream(nextStream++, caller.end));
    }
    walk(frame, part, streams);
    for (Stream stream : streams) {
      caller.end = Math.max(caller.end, stream.end);
    }
  }

  private void add(Stream stream, ActionRef ref, Span span) {
    if (!stream.awaits.isEmpty() && span.from > stream.end) {
      waits.add(new RunTrace.Wait(ref.rank(), stream.number, stream.awaits, stream.end, span.from));
    }
    stream.awaits = new ArrayList<>();
    stream.end = Math.max(stream.end, span.to);
    actions.add(new RunTrace.Action(ref, span.list, span.thread, span.from, span.to));
  }

  private static ActionRef ref(RankPlan plan, int action, Stream stream) {
    return new ActionRef(
        plan.rank(), stream.number, action, plan.describe(action), plan.source(action));
  }
}
