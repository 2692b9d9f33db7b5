package dev.tutti.host.job;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * What one process of a job tells another.
 *
 * @param to a rank of the job, for whose process it is
 * @param from the rank that sends it: of the job, and of the group for those who hear it there;
 *     where a process has several ranks, the first of them
 * @param kind what it is
 * @param group the number of the group that it is about; 0 for none
 * @param meeting where in the group: 0 for all ranks, else the pair
 * @param number the operation that it is about; else what its kind says
 * @param body the rest
 */
public record JobMessage(
    int to, int from, Kind kind, int group, int meeting, long number, byte[] body) {

  /** No message is longer. */
  public static final int MAX_BODY = 64 << 20;

  /** Kinds of messages. */
  public enum Kind {
    /** A process asks to join. */
    HELLO,
    /** All processes have joined. */
    WELCOME,
    /** A process may not join, or some never came. */
    REFUSED,
    /** A process leaves the job in order. */
    LEAVE,
    /** A process has ended without leaving; the number is that of the process. */
    GONE,
    /** A process has freed shared memory; the number is that of the memory. */
    FREED,
    /** About a change of plugins; the number is that of the change. */
    SWAP,
    /** A process wants a group. */
    GROUP,
    /** The memory of a group is there, or why not. */
    GROUP_MADE,
    /** A rank has closed a group. */
    GROUP_LEFT,
    /** The same, for the rank that made its memory. */
    GROUP_FREED,
    /** What a rank wants to run. */
    PROPOSAL,
    /** Others must reach all buffers, as no plan leaves any to their ranks. */
    COPY,
    /** What the first rank has chosen. */
    PLAN,
    /** A rank has made the same plan. */
    READY,
    /** All have. */
    COMMIT,
    /** Asks a rank whether it knows what to run for an operation. */
    ASK,
    /** Asks the first rank to compare what all ranks run. */
    COMPARE,
    /** Answers what a rank runs because it knows the call. */
    KNOWN,
    /** Has a rank run what the others already run. */
    JOIN,
    /** An operation has failed, or with the number 0 all of them. */
    FAILED,
    /** The last operation that a rank has started; sent before its process closes the group. */
    STARTED,
    /** Which part every rank has in splitting the group. */
    SPLIT,
    /** What the first rank makes of what all ranks add to a capture. */
    CAPTURE_PLAN,
    /** A rank has followed that. */
    CAPTURE_READY,
    /** All have. */
    CAPTURE_COMMIT,
    /** The body of a rank's capture has ended. */
    CAPTURE_EXIT
  }

  private static final Kind[] KINDS = Kind.values();

  void write(DataOutputStream out) throws IOException {
    out.writeByte(to);
    out.writeByte(from);
    out.writeByte(kind.ordinal());
    out.writeInt(group);
    out.writeInt(meeting);
    out.writeLong(number);
    out.writeInt(body.length);
    out.write(body);
    out.flush();
  }

  static JobMessage read(DataInputStream in) throws IOException {
    int to = in.readUnsignedByte();
    int from = in.readUnsignedByte();
    int kind = in.readUnsignedByte();
    int group = in.readInt();
    int meeting = in.readInt();
    long number = in.readLong();
    int length = in.readInt();
    if (kind >= KINDS.length || length < 0 || length > MAX_BODY) {
      throw new IOException("what arrived is not a message of a job");
    }
    return new JobMessage(to, from, KINDS[kind], group, meeting, number, in.readNBytes(length));
  }

  /** The same from a rank that is numbered in another way. */
  JobMessage ofRank(int rank) {
    return new JobMessage(to, rank, kind, group, meeting, number, body);
  }

  /** The fields that follow. */
  public BodyReader reader() {
    return new BodyReader(body);
  }
}
