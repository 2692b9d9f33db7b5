package dev.tutti.host.job;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * A message from one process of a job to another.
 *
 * @param to a rank of the receiving process, by its number in the job
 * @param from the sending rank, by its number in the job, or in the group for listeners of the
 *     group; if the process has several ranks, the first of them
 * @param kind its kind
 * @param group the number of the group that it is about; 0 for none
 * @param meeting the meeting in the group: 0 for all ranks, else the pair
 * @param number the operation that it is about, or another number that depends on the kind
 * @param body the remaining fields
 */
public record JobMessage(
    int to, int from, Kind kind, int group, int meeting, long number, byte[] body) {

  /** The longest body of a message, in bytes. */
  public static final int MAX_BODY = 64 << 20;

  /** Kinds of messages. */
  public enum Kind {
    /** A process asks to join. */
    HELLO,
    /** All processes have joined. */
    WELCOME,
    /** A process must not join, or some processes did not arrive. */
    REFUSED,
    /** A process leaves the job regularly. */
    LEAVE,
    /** A process has ended without leaving; the number is that of the process. */
    GONE,
    /** The program of a process asks those of all others to end. */
    END,
    /** Asks a process for a report about itself; the number identifies the question. */
    STATUS,
    /** The answer to {@link #STATUS}; empty if the process is not ready. */
    STATUS_REPORT,
    /** A process has freed shared memory; the number is that of the memory. */
    FREED,
    /** About a change of plugins; the number is that of the change. */
    SWAP,
    /** A process wants a group. */
    GROUP,
    /** A group was made, or the reason why it was not. */
    GROUP_MADE,
    /** A rank has closed a group. */
    GROUP_LEFT,
    /** A process has closed a group; for rank 0, which made the group. */
    GROUP_FREED,
    /** The operation that a rank wants to run. */
    PROPOSAL,
    /**
     * The ranks must copy all their buffers to memory that others can reach, because no plan leaves
     * buffers to their ranks.
     */
    COPY,
    /** The choice of the first rank. */
    PLAN,
    /** A rank has made the same plan. */
    READY,
    /** All ranks have made the same plan. */
    COMMIT,
    /** Asks a rank whether it knows the plan of an operation. */
    ASK,
    /** Asks the first rank to compare the operations of all ranks. */
    COMPARE,
    /** The plan that a rank runs because it knows the call; the answer to {@link #ASK}. */
    KNOWN,
    /** Makes a rank run the plan that the others already run. */
    JOIN,
    /** An operation has failed; with the number 0, all operations have. */
    FAILED,
    /** The last operation that a rank has started; sent before its process closes the group. */
    STARTED,
    /** The part of each rank in splitting the group. */
    SPLIT,
    /** The plan of the first rank for the contributions of all ranks to a capture. */
    CAPTURE_PLAN,
    /** A rank has followed the plan of a capture. */
    CAPTURE_READY,
    /** All ranks have followed it. */
    CAPTURE_COMMIT,
    /**
     * The body of a rank's capture has ended; without shared memory, also the number of the last
     * operation that the rank has started in each meeting.
     */
    CAPTURE_EXIT
  }

  private static final Kind[] KINDS = Kind.values();

  void write(DataOutputStream out) throws IOException {
    out.writeShort(to);
    out.writeShort(from);
    out.writeByte(kind.ordinal());
    out.writeInt(group);
    out.writeInt(meeting);
    out.writeLong(number);
    out.writeInt(body.length);
    out.write(body);
    out.flush();
  }

  static JobMessage read(DataInputStream in) throws IOException {
    int to = in.readUnsignedShort();
    int from = in.readUnsignedShort();
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

  /** The same message with another number for its sender. */
  JobMessage ofRank(int rank) {
    return new JobMessage(to, rank, kind, group, meeting, number, body);
  }

  /** A reader of the body. */
  public BodyReader reader() {
    return new BodyReader(body);
  }
}
