package dev.tutti.engine;

import dev.tutti.engine.CompiledPlan.SignalCount;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Compiles a plan to static lists. Ranks are dealt to lists; each list holds the actions of its
 * ranks in the one order in which the whole plan was walked. All lists follow this order, so they
 * cannot deadlock, and the only notifies that remain are waits between lists.
 *
 * <p>A wait is dropped when an earlier wait of the same list implies it, directly or through a
 * third list: each list keeps a clock with the progress that it knows of each other list, and a
 * post carries the poster's clock.
 */
final class ListCompiler implements Unroller.Sink {

  private final int lists;

  /** The list of each rank. */
  private final int[] listOf;

  private final TaskArrays[] drafts;
  private final BitSet[] published;

  /** {@code known[a][b]}: items of list b that list a knows to be done. */
  private final int[][] known;

  private long awaits;
  private long waits;
  private int streams;
  private int[] streamList = new int[16];

  private int events;
  private int[] eventList = new int[16];
  private int[] eventItem = new int[16];
  private int[] eventClock = new int[0];

  /**
   * Compiles to lists.
   *
   * @param lists the number of lists
   * @param listOf the list of each rank
   */
  ListCompiler(int lists, int[] listOf, MemorySlots slots, KernelTable kernels) {
    this.lists = lists;
    this.listOf = listOf;
    this.drafts = new TaskArrays[lists];
    this.published = new BitSet[lists];
    this.known = new int[lists][lists];
    for (int list = 0; list < lists; list++) {
      drafts[list] = new TaskArrays(slots, kernels);
      published[list] = new BitSet();
    }
  }

  @Override
  public int openStream(int rank, int parentStream) {
    if (streams == streamList.length) {
      streamList = Arrays.copyOf(streamList, 2 * streams);
    }
    streamList[streams] = listOf[rank];
    return streams++;
  }

  @Override
  public void closeStream(int stream, int parentStream) {
    // Streams of one rank share a list, so they are already ordered.
  }

  @Override
  public void data(int stream, Frame.Part part, int action) {
    TaskArrays draft = drafts[streamList[stream]];
    int task = draft.addData(part, action);
    if (task > 0 && continues(draft, task)) {
      draft.bytes[task - 1] += draft.bytes[task];
      draft.removeLast();
    }
  }

  /**
   * Whether a copy begins exactly where the previous copy ends, in its source and its destination.
   */
  private static boolean continues(TaskArrays draft, int task) {
    int before = task - 1;
    return draft.op[task] == TaskArrays.COPY
        && draft.op[before] == TaskArrays.COPY
        && draft.dst[task] == draft.dst[before]
        && draft.source[task] == draft.source[before]
        && draft.dstOffset[task] == draft.dstOffset[before] + draft.bytes[before]
        && draft.sourceOffset[task] == draft.sourceOffset[before] + draft.bytes[before]
        && !draft.isShared(draft.dst[task])
        && !draft.isShared(draft.source[task])
        && (draft.dst[task] != draft.source[task]
            || disjoint(draft, before, draft.bytes[before] + draft.bytes[task]));
  }

  private static boolean disjoint(TaskArrays draft, int task, long bytes) {
    return Math.abs(draft.dstOffset[task] - draft.sourceOffset[task]) >= bytes;
  }

  @Override
  public int post(int stream, Frame.Part part, int action) {
    if (lists == 1) {
      return 0;
    }
    if (events == eventList.length) {
      eventList = Arrays.copyOf(eventList, 2 * events);
      eventItem = Arrays.copyOf(eventItem, 2 * events);
    }
    int list = streamList[stream];
    eventList[events] = list;
    eventItem[events] = drafts[list].size;
    if ((events + 1) * lists > eventClock.length) {
      eventClock = Arrays.copyOf(eventClock, Math.max(64, 2 * events) * lists);
    }
    System.arraycopy(known[list], 0, eventClock, events * lists, lists);
    return events++;
  }

  @Override
  public void await(int stream, Frame.Part part, int action, int event) {
    awaits++;
    if (lists == 1) {
      return;
    }
    int list = streamList[stream];
    int other = eventList[event];
    if (other == list) {
      return;
    }
    int[] clock = known[list];
    if (eventItem[event] > clock[other]) {
      TaskArrays draft = drafts[list];
      int wait = draft.add(TaskArrays.WAIT, part, action);
      waits++;
      draft.dst[wait] = other;
      draft.bytes[wait] = eventItem[event];
      published[other].set(eventItem[event]);
      clock[other] = eventItem[event];
    }
    for (int i = 0; i < lists; i++) {
      clock[i] = Math.max(clock[i], eventClock[event * lists + i]);
    }
  }

  /** The number of awaits, and of the waits that remain. */
  SignalCount signals() {
    return new SignalCount(awaits, waits);
  }

  /** The ranks dealt to lists in blocks. */
  static int[] blocks(int ranks, int lists) {
    int[] listOf = new int[ranks];
    Arrays.setAll(listOf, rank -> (int) ((long) rank * lists / ranks));
    return listOf;
  }

  /** All tasks in the order in which they were added; for a single list only. */
  TaskArrays whole() {
    return drafts[0];
  }

  /** The finished lists, of ranks that begin and end together. */
  List<TaskArrays> finish() {
    return written(forwarded());
  }

  /**
   * The finished lists of ranks that leave on their own: a list ends when no other list will touch
   * the memory of its ranks any more.
   */
  List<TaskArrays> finishClosed() {
    BitSet[] dropped = forwarded();
    close(dropped);
    return written(dropped);
  }

  private BitSet[] forwarded() {
    Forwarding.ReadCounts reads = new Forwarding.ReadCounts(drafts);
    BitSet[] dropped = new BitSet[lists];
    for (int list = 0; list < lists; list++) {
      TaskArrays draft = drafts[list];
      dropped[list] = Forwarding.run(list, draft, published[list], reads, draft::isPrivate);
    }
    return dropped;
  }

  private List<TaskArrays> written(BitSet[] dropped) {
    List<TaskArrays> programs = new ArrayList<>();
    for (int list = 0; list < lists; list++) {
      programs.add(ListWriter.write(drafts[list], published[list], dropped[list]));
    }
    return programs;
  }

  /**
   * Adds waits at the end of each list for other lists that may still touch the memory of its
   * ranks.
   */
  private void close(BitSet[] dropped) {
    int[][] lastTouch = new int[lists][lists];
    for (int list = 0; list < lists; list++) {
      for (int task = 0; task < drafts[list].size; task++) {
        if (Tiling.isData(drafts[list].op[task]) && !dropped[list].get(task)) {
          touch(lastTouch, list, task);
        }
      }
    }
    for (int owner = 0; owner < lists; owner++) {
      int end = drafts[owner].size;
      for (int other = 0; other < lists; other++) {
        int last = lastTouch[owner][other];
        if (other != owner && last > known[owner][other]) {
          int wait = drafts[owner].addBeside(drafts[owner], end, TaskArrays.WAIT);
          drafts[owner].dst[wait] = other;
          drafts[owner].bytes[wait] = last;
          published[other].set(last);
          waits++;
        }
      }
    }
  }

  /** Records the lists whose memory a task touches. */
  private void touch(int[][] lastTouch, int list, int task) {
    TaskArrays draft = drafts[list];
    for (int operand = Tiling.RESULT; operand < Tiling.sources(draft, task); operand++) {
      int owner = listOf[draft.rank(Tiling.slot(draft, task, operand))];
      lastTouch[owner][list] = task + 1;
    }
  }
}
