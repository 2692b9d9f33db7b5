package dev.tutti.simulator;

import dev.tutti.plan.ActionKind;
import dev.tutti.plan.RankPlan;

/** The needs of one data action. The object is reused for each action. Not thread-safe. */
final class Demand {

  /** {@link #source} of an action that reads from no other rank. */
  static final int NONE = -1;

  private final PerByte reduction;
  private final PerByte copy;
  private int destination;
  private int source;
  private int messages;
  private long bytes;
  private long work;

  Demand(NetworkModel model) {
    this.reduction = model.reduction();
    this.copy = model.copy();
  }

  /** Whether an action combines operands, rather than copies one. */
  static boolean combines(ActionKind kind, int sources) {
    return kind == ActionKind.REDUCE || sources > 1;
  }

  void read(RankPlan code, int action) {
    int sources = code.sourceCount(action);
    bytes = code.bytes(action);
    destination = code.dstRank(action);
    messages = 0;
    source = NONE;
    for (int i = 0; i < sources; i++) {
      int src = code.srcRank(action, i);
      if (src != destination) {
        source = src;
        messages++;
      }
    }
    if (combines(code.kind(action), sources)) {
      int combined = Math.max(1, sources - 1);
      if (bytes > Long.MAX_VALUE / combined) {
        throw TimeText.tooLong();
      }
      work = reduction.time(combined * bytes);
    } else {
      work = messages > 0 ? 0 : copy.time(bytes);
    }
  }

  /** The rank whose memory is written, and whose unit works. */
  int destination() {
    return destination;
  }

  /** The rank that the last message comes from. */
  int source() {
    return source;
  }

  /** The number of messages. */
  int messages() {
    return messages;
  }

  /** The bytes of each message. */
  long bytes() {
    return bytes;
  }

  /** How long the unit works after all messages have arrived, in picoseconds. */
  long work() {
    return work;
  }
}
