package dev.tutti.testkit;

import dev.tutti.sdk.plan.ActionKind;
import dev.tutti.sdk.plan.RankPlan;
import dev.tutti.sdk.resource.TransportMemType;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds accesses to the same bytes that no chain of notifies orders. The caller counts as a user of
 * a rank's input and output before it enters and after it leaves the operation. Exact: no race that
 * a schedule can show goes unnoticed, and none is reported that no schedule can show.
 */
final class RaceDetector implements HappensBefore.Visitor {

  private final FlatPlan plan;
  private final List<FlatStream> streams;
  private final Findings findings;
  private final boolean isSequence;
  private final List<AccessMap> memories = new ArrayList<>();

  /** The main stream of each rank. */
  private final int[] mains;

  /** Whether the walk has seen the end of a rank's call. Nothing happens after that end. */
  private final boolean[] hasLeft;

  /**
   * A detector for one walk.
   *
   * @param isSequence whether the plan is a sequence of operations, and only races between two of
   *     them are wanted
   */
  RaceDetector(FlatPlan plan, Findings findings, boolean isSequence) {
    this.plan = plan;
    this.streams = plan.streams();
    this.findings = findings;
    this.isSequence = isSequence;
    for (int memory = 0; memory < plan.memoryCount(); memory++) {
      memories.add(new AccessMap());
    }
    int ranks = plan.plan().rankSize();
    this.mains = new int[ranks];
    this.hasLeft = new boolean[ranks];
    for (int stream = 0; stream < streams.size(); stream++) {
      if (streams.get(stream).sync(0) == FlatStream.BEGIN) {
        mains[streams.get(stream).rank] = stream;
      }
    }
  }

  @Override
  public void visit(int stream, int event, int[] clock) {
    FlatStream code = streams.get(stream);
    if (code.sync(event) == FlatStream.DATA) {
      visitAction(stream, event, clock);
    } else if (code.sync(event) == FlatStream.END && !isSequence) {
      hasLeft[code.rank] = true;
      if (isJoined(stream, clock)) {
        int input = plan.memory(code.rank, TransportMemType.PARAM_INPUT);
        int output = plan.memory(code.rank, TransportMemType.PARAM_OUTPUT);
        checkEnd(input, stream, event, clock);
        if (output != input) {
          checkEnd(output, stream, event, clock);
        }
      }
    }
  }

  /** Nothing may access a rank's buffers that does not happen before the end of its call. */
  private void checkEnd(int memory, int stream, int event, int[] clock) {
    memories
        .get(memory)
        .check(
            clock,
            (other, otherEvent, isWrite, from, to) ->
                conflict(memory, other, otherEvent, isWrite, stream, event, true, from, to));
  }

  /** A peer may access a rank's buffers only after that rank has entered and before it leaves. */
  private void checkCall(
      int memory, boolean isWrite, long from, long to, int stream, int event, int[] clock) {
    int owner = memory / FlatPlan.MEM_KINDS;
    FlatStream code = streams.get(stream);
    if (isSequence || owner == code.rank || !isParam(memory)) {
      return;
    }
    int main = mains[owner];
    boolean hasEntered = clock[main] > 0;
    if (!hasEntered || hasLeft[owner]) {
      int border = hasEntered ? streams.get(main).size() - 1 : 0;
      conflict(memory, main, border, true, stream, event, isWrite, from, to);
    }
  }

  private void visitAction(int stream, int event, int[] clock) {
    FlatStream code = streams.get(stream);
    RankPlan own = code.plan(event);
    int action = code.action(event);
    long bytes = own.bytes(action);
    for (int i = 0; i < own.sourceCount(action); i++) {
      long offset = own.srcOffset(action, i);
      int memory = plan.memory(own.srcRank(action, i), own.srcType(action, i));
      checkCall(memory, false, offset, offset + bytes, stream, event, clock);
      memories
          .get(memory)
          .read(
              offset,
              offset + bytes,
              stream,
              event,
              clock,
              (other, otherEvent, isWrite, from, to) ->
                  conflict(memory, other, otherEvent, isWrite, stream, event, false, from, to));
    }
    long offset = own.dstOffset(action);
    int memory = plan.memory(own.dstRank(action), own.dstType(action));
    checkCall(memory, true, offset, offset + bytes, stream, event, clock);
    write(memory, offset, offset + bytes, stream, event, clock);
  }

  private void write(int memory, long start, long end, int stream, int event, int[] clock) {
    memories
        .get(memory)
        .write(
            start,
            end,
            stream,
            event,
            clock,
            (other, otherEvent, isWrite, from, to) ->
                conflict(memory, other, otherEvent, isWrite, stream, event, true, from, to));
  }

  /** Whether all slave streams of a rank are done when its main stream is; a finding if not. */
  private boolean isJoined(int main, int[] clock) {
    boolean isJoined = true;
    for (int slave = main + 1; slave < streams.size(); slave++) {
      FlatStream code = streams.get(slave);
      if (code.rank != streams.get(main).rank) {
        break;
      }
      if (clock[slave] < code.size()) {
        isJoined = false;
        findings.add(
            Rules.NOT_JOINED,
            code.origin(code.size() - 1),
            code.describe(code.size() - 1)
                + " can still run when the main stream is done: let the slave stream end with a"
                + " post that the main stream awaits");
      }
    }
    return isJoined;
  }

  private void conflict(
      int memory,
      int stream,
      int event,
      boolean isWrite,
      int laterStream,
      int laterEvent,
      boolean isLaterWrite,
      long from,
      long to) {
    FlatStream code = streams.get(stream);
    FlatStream laterCode = streams.get(laterStream);
    boolean areActions = code.isAction(event) && laterCode.isAction(laterEvent);
    if (isSequence && (isParam(memory) || code.place(event) == laterCode.place(laterEvent))) {
      return;
    }
    String rule =
        isSequence ? Rules.RACE_BETWEEN_OPERATIONS : areActions ? Rules.RACE : Rules.OUTSIDE_CALL;
    String key = code.origin(event) + "|" + laterCode.origin(laterEvent);
    findings.add(
        rule,
        key,
        findings.isOnlyCounted(rule, key)
            ? ""
            : "%s and %s use %s[%d, %d)%s: the one %s, the other %s, and nothing orders them"
                .formatted(
                    code.describe(event),
                    laterCode.describe(laterEvent),
                    plan.memoryName(memory),
                    from,
                    to,
                    isSequence ? " in two operations one after the other" : "",
                    access(code, event, isWrite),
                    access(laterCode, laterEvent, isLaterWrite)));
  }

  private static String access(FlatStream code, int event, boolean isWrite) {
    if (!code.isAction(event)) {
      return "owns it";
    }
    ActionKind kind = code.plan(event).kind(code.action(event));
    return isWrite ? (kind == ActionKind.REDUCE ? "updates" : "writes") : "reads";
  }

  private static boolean isParam(int memory) {
    TransportMemType type = TransportMemType.values()[memory % FlatPlan.MEM_KINDS];
    return type == TransportMemType.PARAM_INPUT || type == TransportMemType.PARAM_OUTPUT;
  }
}
