package dev.tutti.host.job;

import dev.tutti.engine.message.MessageWorld;
import dev.tutti.engine.message.Wire;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Messages between processes that are threads of one JVM. Some bytes are read when they are sent,
 * others when they are received, and a message that both ends have begun arrives after some looks.
 * Thread-safe.
 */
public final class OneJvmNetwork {

  private static final int MAX_TAG = 1 << 20;
  private static final int MOST_LOOKS = 3;

  private final int processes;
  private final SplittableRandom random;
  private final Map<Way, Queue<Message>> sent = new HashMap<>();
  private final Map<Way, Queue<Message>> received = new HashMap<>();

  /** The processes with messages that were given up. */
  private final Set<Integer> abandoned = ConcurrentHashMap.newKeySet();

  private record Way(int from, int to, int tag) {}

  /** One end of a message. */
  private static final class Message {
    private final MemorySegment memory;
    private int looks;
    private boolean isDone;
    private @Nullable TuttiException error;

    Message(MemorySegment memory) {
      this.memory = memory;
    }
  }

  public OneJvmNetwork(int processes, long seed) {
    this.processes = processes;
    this.random = new SplittableRandom(seed);
  }

  /** The processes as one of them sees them. */
  public MessageWorld world(int process) {
    return world(process, () -> {}, () -> {});
  }

  /** The same, with what happens first when it is abandoned or closed. */
  MessageWorld world(int process, Runnable beforeAbandon, Runnable beforeClose) {
    return new MessageWorld() {
      @Override
      public int process() {
        return process;
      }

      @Override
      public int processes() {
        return processes;
      }

      @Override
      public int maxTag() {
        return MAX_TAG;
      }

      @Override
      public Wire newWire(int tag, int[] members) {
        return new End(process, tag, members);
      }

      @Override
      public void abandon() {
        beforeAbandon.run();
        abandoned.add(process);
      }

      @Override
      public boolean isAbandoned() {
        return abandoned.contains(process);
      }

      @Override
      public void close() {
        beforeClose.run();
      }
    };
  }

  private final class End implements Wire {
    private final int process;
    private final int tag;
    private final int[] members;
    private final @Nullable Message[] messages = new Message[MOST_MESSAGES];

    End(int process, int tag, int[] members) {
      this.process = process;
      this.tag = tag;
      this.members = members.clone();
    }

    @Override
    public void send(int message, int to, MemorySegment memory, long offset, long bytes) {
      synchronized (OneJvmNetwork.this) {
        MemorySegment part = memory.asSlice(offset, bytes);
        boolean isEager = random.nextBoolean();
        MemorySegment read = isEager ? Arena.ofAuto().allocate(bytes, 1).copyFrom(part) : part;
        Message one = new Message(read);
        one.isDone = isEager;
        messages[message] = one;
        add(sent, new Way(process, members[to], tag), one);
      }
    }

    @Override
    public void receive(int message, int from, MemorySegment memory, long offset, long bytes) {
      synchronized (OneJvmNetwork.this) {
        MemorySegment part = memory.asSlice(offset, bytes);
        part.fill((byte) random.nextInt());
        Message one = new Message(part);
        one.looks = random.nextInt(MOST_LOOKS);
        messages[message] = one;
        add(received, new Way(members[from], process, tag), one);
      }
    }

    private void add(Map<Way, Queue<Message>> ends, Way way, Message one) {
      ends.computeIfAbsent(way, key -> new ArrayDeque<>()).add(one);
      meet(way);
    }

    @Override
    public boolean isDone(int message) {
      synchronized (OneJvmNetwork.this) {
        Message one = messages[message];
        if (one == null || !one.isDone || one.looks-- > 0) {
          return false;
        }
        if (one.error != null) {
          throw one.error;
        }
        messages[message] = null;
        return true;
      }
    }

    @Override
    public void giveUp() {
      synchronized (OneJvmNetwork.this) {
        received.forEach(
            (way, all) -> {
              if (way.to() == process && way.tag() == tag) {
                all.clear();
              }
            });
        for (Message one : messages) {
          if (one != null && !one.isDone) {
            abandoned.add(process);
          }
        }
      }
    }
  }

  private void meet(Way way) {
    Queue<Message> from = sent.getOrDefault(way, new ArrayDeque<>());
    Queue<Message> to = received.getOrDefault(way, new ArrayDeque<>());
    while (!from.isEmpty() && !to.isEmpty()) {
      Message left = from.remove();
      Message came = to.remove();
      if (left.memory.byteSize() == came.memory.byteSize()) {
        came.memory.copyFrom(left.memory);
      } else {
        came.error =
            new TuttiException(
                ErrorCode.CALL_MISMATCH, "a message brought another number of bytes");
      }
      left.isDone = true;
      came.isDone = true;
    }
  }
}
