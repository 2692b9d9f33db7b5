package dev.tutti.host.job;

import dev.tutti.engine.memory.NativeMemory;
import dev.tutti.host.job.JobMessage.Kind;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Makes groups in rank 0. A group is made once all of its processes have asked for it. It gets a
 * number, and the memory or the channel through which its ranks run operations. Confined to the
 * job's thread.
 */
final class GroupMaker {

  private final @Nullable MemoryWindows windows;
  private final int mostChannels;
  private final IntUnaryOperator processOf;
  private final Consumer<JobMessage> sender;
  private final Map<String, Asked> asked = new HashMap<>();
  private final Map<Integer, Made> made = new HashMap<>();

  /** The processes that have left the job, and the sentence that says so. */
  private final Map<Integer, String> left = new HashMap<>();

  private int last;

  /** A group that some of its processes have asked for. */
  private static final class Asked {
    private final int[] members;
    private final @Nullable String[] topologies;

    Asked(int[] members) {
      this.members = members;
      this.topologies = new @Nullable String[members.length];
    }

    /** Adds the request of a process; returns whether all processes have asked. */
    boolean add(int process, String topology, IntUnaryOperator processOf) {
      boolean isWhole = true;
      for (int i = 0; i < members.length; i++) {
        if (processOf.applyAsInt(members[i]) == process) {
          topologies[i] = topology;
        }
        isWhole &= topologies[i] != null;
      }
      return isWhole;
    }
  }

  /** The channels that are in use. */
  private final BitSet channels = new BitSet();

  /** The number of processes that use a group, and the action when no process uses it any more. */
  private static final class Made {
    private final Runnable whenFreed;
    private int users;

    Made(Runnable whenFreed, int users) {
      this.whenFreed = whenFreed;
      this.users = users;
    }
  }

  /**
   * Makes groups.
   *
   * @param windows the source of their memory; null if they have channels
   * @param mostChannels the number of channels
   * @param processOf gives the process of a rank of the job
   * @param sender sends messages to the other ranks
   */
  GroupMaker(
      @Nullable MemoryWindows windows,
      int mostChannels,
      IntUnaryOperator processOf,
      Consumer<JobMessage> sender) {
    this.windows = windows;
    this.mostChannels = mostChannels;
    this.processOf = processOf;
    this.sender = sender;
  }

  /** Handles the request of a process for a group. */
  void asked(JobMessage message) {
    BodyReader body = message.reader();
    String name = body.text();
    String topology = body.text();
    int[] members = body.counts();
    Asked group = asked.computeIfAbsent(name, key -> new Asked(members));
    if (group.add(processOf.applyAsInt(message.from()), topology, processOf)) {
      answer(name, group, "");
    } else {
      answerIfSomebodyHasLeft(name, group);
    }
  }

  /**
   * Notes that a process has left the job. Groups that wait for its request are not made.
   *
   * @param words a sentence with the names of its ranks
   */
  void left(int process, String words) {
    left.put(process, words);
    Map.copyOf(asked).forEach(this::answerIfSomebodyHasLeft);
  }

  private void answerIfSomebodyHasLeft(String name, Asked group) {
    IntStream.of(group.members)
        .mapToObj(rank -> left.get(processOf.applyAsInt(rank)))
        .flatMap(Stream::ofNullable)
        .findFirst()
        .ifPresent(words -> answer(name, group, words));
  }

  /**
   * Makes a group, and tells its processes.
   *
   * @param why the reason why it cannot be made, in a sentence; empty if there is none
   */
  private void answer(String name, Asked group, String why) {
    asked.remove(name);
    int number = ++last;
    int[] members = group.members;
    int[] speakers = speakers(members);
    BodyWriter answer = new BodyWriter().text(name);
    try {
      if (!why.isEmpty()) {
        throw new TuttiException(ErrorCode.INVALID_STATE, "%s; %s cannot be made", why, name);
      }
      requireSame(name, group);
      answer.number(1).counts(members);
      Runnable whenFreed =
          windows == null ? giveChannel(answer) : giveMemory(windows, members.length, answer);
      made.put(number, new Made(whenFreed, speakers.length));
    } catch (TuttiException e) {
      answer = new BodyWriter().text(name).number(0).error(e);
    }
    for (int rank : speakers) {
      sender.accept(new JobMessage(rank, 0, Kind.GROUP_MADE, number, 0, 0, answer.bytes()));
    }
  }

  /** The first member of each process. */
  private int[] speakers(int[] members) {
    Map<Integer, Integer> ofProcess = new LinkedHashMap<>();
    for (int rank : members) {
      ofProcess.putIfAbsent(processOf.applyAsInt(rank), rank);
    }
    return ofProcess.values().stream().mapToInt(Integer::intValue).toArray();
  }

  private static Runnable giveMemory(MemoryWindows windows, int ranks, BodyWriter answer) {
    // It exists as long as this process or one of the mappings.
    NativeMemory memory = windows.reserve(GroupLines.bytesToReserve(ranks), 0);
    windows.placeOf(memory.segment()).write(answer);
    return memory::close;
  }

  private Runnable giveChannel(BodyWriter answer) {
    int channel = channels.nextClearBit(0);
    if (channel >= mostChannels) {
      throw new TuttiException(
          ErrorCode.INVALID_STATE,
          "a job without shared memory has at most %d groups that are open at the same time; close one first",
          mostChannels);
    }
    channels.set(channel);
    answer.number(channel);
    return () -> channels.clear(channel);
  }

  /**
   * Notes that a process has closed a group. Once all its processes have, its resources are free.
   */
  void freed(int number) {
    Made known = made.get(number);
    if (known != null && --known.users == 0) {
      made.remove(number);
      known.whenFreed.run();
    }
  }

  /** Frees the resources of the groups that some of their processes have not closed. */
  void close() {
    made.values().forEach(group -> group.whenFreed.run());
    made.clear();
  }

  private static void requireSame(String name, Asked group) {
    for (int i = 1; i < group.topologies.length; i++) {
      if (!String.valueOf(group.topologies[0]).equals(group.topologies[i])) {
        throw new TuttiException(
            ErrorCode.CALL_MISMATCH,
            "all processes must make the same groups in the same order, but rank %d differs from rank"
                + " %d in the topology of %s: expected %s, actual %s",
            group.members[i],
            group.members[0],
            name,
            group.topologies[0],
            group.topologies[i]);
      }
    }
  }
}
