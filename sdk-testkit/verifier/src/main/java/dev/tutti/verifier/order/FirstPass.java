package dev.tutti.verifier.order;

import dev.tutti.plan.ActionKind;
import dev.tutti.plan.RankPlan;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.simulator.flow.FlatStream;
import dev.tutti.simulator.flow.Moves;
import dev.tutti.simulator.flow.Segments;
import dev.tutti.simulator.flow.Walk;
import java.util.Arrays;
import java.util.List;

/**
 * One walk of a plan that judges its notifies and accesses by what streams know of each other
 * directly. It notes the questions that remain open, and collects the facts that later checks need.
 */
final class FirstPass implements Walk.Visitor {

  /**
   * Topic: a post must come after the await of the cell's previous signal; the question names a
   * cell.
   */
  static final int LOST = 0;

  /** Topic: an await must come after the cell's previous await; the question names a cell. */
  static final int STOLEN = 1;

  /**
   * Topic: a data action must come after one that it conflicts with; the question names segments.
   */
  static final int RACE = 2;

  /** Stands for an event that has not happened yet, so the answer is no. */
  static final int NEVER = -1;

  private final FlatPlan plan;
  private final FlatStream[] streams;
  private final int[] rankOf;
  private final Segments segments;
  private final Layers layers;
  private final Signals signals;
  private final DirectKnowledge knowledge;
  private final Moves.Cursor moves;
  private final Questions questions = new Questions();
  private final Layers.Inquiry inquiry = this::ask;
  private final boolean atomicReductions;
  private final boolean[] hasEnded;
  private final Walk walk;
  private final boolean isComplete;

  private int stream;
  private int event;

  /** The event of another stream that was last found to happen before the current event. */
  private int settledStream = NEVER;

  private int settledEvent;

  FirstPass(FlatPlan plan, Segments segments, Moves moves, boolean atomicReductions) {
    this.plan = plan;
    this.streams = plan.streams().toArray(FlatStream[]::new);
    this.rankOf = ranks(plan.streams());
    this.segments = segments;
    this.layers = new Layers(segments.count(), this::agree);
    this.moves = moves.cursor();
    this.signals = new Signals(plan.cellCount());
    this.knowledge = new DirectKnowledge(mains(plan, rankOf));
    this.atomicReductions = atomicReductions;
    this.hasEnded = new boolean[plan.plan().rankSize()];
    this.walk = new Walk(plan, this);
    this.isComplete = walk.run();
  }

  private static int[] ranks(List<FlatStream> streams) {
    return streams.stream().mapToInt(FlatStream::rank).toArray();
  }

  private static int[] mains(FlatPlan plan, int[] rankOf) {
    return Arrays.stream(rankOf).map(plan::mainStream).toArray();
  }

  @Override
  public void border(int atStream, int atEvent, boolean isBegin) {
    if (!isBegin) {
      hasEnded[rankOf[atStream]] = true;
    }
  }

  @Override
  public void post(int atStream, int atEvent, int cell, int pending) {
    int awaitStream = signals.awaitStream(cell);
    if (pending > 0) {
      questions.add(NEVER, NEVER, atStream, atEvent, LOST, cell);
    } else if (awaitStream >= 0
        && !knowledge.knows(atStream, awaitStream, signals.awaitEvent(cell))) {
      questions.add(awaitStream, signals.awaitEvent(cell), atStream, atEvent, LOST, cell);
    }
    signals.post(cell, atStream, atEvent);
  }

  @Override
  public void await(int atStream, int atEvent, int cell, int postStream, int postEvent) {
    int before = signals.awaitStream(cell);
    if (before >= 0 && !knowledge.knows(atStream, before, signals.awaitEvent(cell))) {
      questions.add(before, signals.awaitEvent(cell), atStream, atEvent, STOLEN, cell);
    }
    signals.await(cell, atStream, atEvent);
    knowledge.await(atStream, atEvent, postStream, postEvent);
  }

  @Override
  public void data(int atStream, int atEvent) {
    stream = atStream;
    event = atEvent;
    settledStream = NEVER;
    long move = moves.next(atStream);
    if (move != Moves.NONE) {
      boolean isAtomic = atomicReductions && Moves.reduces(move);
      layers.access(Moves.source(move), Layers.READ, atStream, atEvent, inquiry);
      layers.access(
          Moves.destination(move),
          isAtomic ? Layers.UPDATE : Layers.WRITE,
          atStream,
          atEvent,
          inquiry);
      return;
    }
    access(streams[atStream].plan(atEvent), streams[atStream].action(atEvent));
  }

  private void access(RankPlan own, int action) {
    long bytes = own.bytes(action);
    int sources = own.sourceCount(action);
    for (int i = 0; i < sources; i++) {
      int memory = plan.memory(own.srcRank(action, i), own.srcType(action, i));
      access(memory, own.srcOffset(action, i), bytes, Layers.READ);
    }
    boolean isAtomic = atomicReductions && own.kind(action) == ActionKind.REDUCE;
    int memory = plan.memory(own.dstRank(action), own.dstType(action));
    access(memory, own.dstOffset(action), bytes, isAtomic ? Layers.UPDATE : Layers.WRITE);
  }

  private void access(int memory, long offset, long bytes, int kind) {
    if (!segments.has(memory)) {
      return;
    }
    int end = segments.at(memory, offset + bytes);
    for (int segment = segments.at(memory, offset); segment < end; segment++) {
      layers.access(segment, kind, stream, event, inquiry);
    }
  }

  private boolean agree(int stream1, int event1, int stream2, int event2) {
    return SameReduction.test(streams[stream1], event1, streams[stream2], event2);
  }

  private void ask(int otherStream, int otherEvent, int segment) {
    if (otherStream == stream || (otherStream == settledStream && otherEvent <= settledEvent)) {
      return;
    }
    if (knowledge.knows(stream, otherStream, otherEvent)) {
      settledStream = otherStream;
      settledEvent = otherEvent;
    } else {
      questions.add(otherStream, otherEvent, stream, event, RACE, segment);
    }
  }

  /** Whether the walk has reached the end of the plan. */
  boolean isComplete() {
    return isComplete;
  }

  /** Whether a rank has reached the end of its call. */
  boolean hasEnded(int rank) {
    return hasEnded[rank];
  }

  Walk walk() {
    return walk;
  }

  int[] rankOf() {
    return rankOf;
  }

  Segments segments() {
    return segments;
  }

  Signals signals() {
    return signals;
  }

  DirectKnowledge knowledge() {
    return knowledge;
  }

  Questions questions() {
    return questions;
  }
}
