package dev.tutti.host.job;

import dev.tutti.engine.memory.NativeMemory;
import dev.tutti.host.job.JobMessage.Kind;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes the memory of groups in rank 0, once all ranks have asked for the same group. Confined to
 * the job's thread.
 */
final class GroupMaker {

  private final Job job;
  private final Map<Integer, @Nullable String[]> asked = new HashMap<>();
  private final Map<Integer, Made> made = new HashMap<>();

  /** The memory of a group, and how many ranks have it. */
  private static final class Made {
    private final NativeMemory memory;
    private int users;

    Made(NativeMemory memory, int users) {
      this.memory = memory;
      this.users = users;
    }
  }

  GroupMaker(Job job) {
    this.job = job;
  }

  /** A rank wants the group of a number. */
  void asked(JobMessage message) {
    int number = message.group();
    @Nullable String[] topologies =
        asked.computeIfAbsent(number, key -> new @Nullable String[job.size()]);
    topologies[message.from()] = message.reader().text();
    for (String each : topologies) {
      if (each == null) {
        return;
      }
    }
    asked.remove(number);
    BodyWriter answer = new BodyWriter();
    try {
      requireSame(number, topologies);
      NativeMemory memory = job.makeMemory(JobGroup.bytes(job.size()));
      made.put(number, new Made(memory, job.size()));
      job.windows().placeOf(memory.segment()).write(answer.number(1));
    } catch (TuttiException e) {
      answer = new BodyWriter().number(0).error(e);
    }
    for (int rank = 0; rank < job.size(); rank++) {
      job.send(new JobMessage(rank, 0, Kind.GROUP_MADE, number, 0, 0, answer.bytes()));
    }
  }

  /** A rank has closed a group; once all have, its memory is freed. */
  void left(int number) {
    Made known = made.get(number);
    if (known != null && --known.users == 0) {
      made.remove(number);
      known.memory.close();
    }
  }

  private static void requireSame(int number, @Nullable String[] topologies) {
    for (int rank = 1; rank < topologies.length; rank++) {
      if (!String.valueOf(topologies[0]).equals(topologies[rank])) {
        throw new TuttiException(
            ErrorCode.CALL_MISMATCH,
            "all processes must make the same groups in the same order, but rank %d differs from rank"
                + " 0 in the topology of group %d: expected %s, actual %s",
            rank,
            number,
            topologies[0],
            topologies[rank]);
      }
    }
  }
}
