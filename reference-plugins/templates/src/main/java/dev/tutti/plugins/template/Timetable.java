package dev.tutti.plugins.template;

import dev.tutti.plugins.template.LongestChain.Message;
import dev.tutti.sdk.Cost;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;

/**
 * What a schedule costs under the plain model where messages of several ranks meet at ports, for
 * which there is no closed form. The schedule says which transfers there are, on which streams, and
 * which ones they wait for; the recurrence is {@code end(x) = bytes(x) + max(end of all that x
 * waits for, end of what had its ports before)}, in the order in which ports are asked for.
 *
 * <p>Each term has a recurrence of its own, as if the two others were free: α holds no port, β
 * holds one of each end, γ the reducing unit of the receiver.
 *
 * <p>A schedule of more than 262,144 transfers and waits has no cost. {@link PipelineCost} tells
 * that of many equal segments.
 */
public final class Timetable {

  private static final int NOTHING = -1;

  /** Longer schedules are not added up: who asks wants to choose an algorithm soon. */
  private static final int MAX_LINKS = 1 << 18;

  private final int ranks;
  private final int streams;
  private final Entries entries = new Entries();
  private final int[] last;

  /** Transfers, and what they wait for. */
  private int links;

  private boolean isTooLong;

  /**
   * An empty one.
   *
   * @param streams the streams of each rank
   */
  public Timetable(int ranks, int streams) {
    this.ranks = ranks;
    this.streams = streams;
    this.last = new int[ranks * streams];
    Arrays.fill(last, NOTHING);
  }

  /** What a stream does last so far. */
  public int last(int rank, int stream) {
    return last[rank * streams + stream];
  }

  /**
   * Lets a rank wait.
   *
   * @param after what for, besides what its stream did before
   * @return its number
   */
  public int join(int rank, int stream, List<Integer> after) {
    return add(rank, stream, List.of(), rank, 0, 0, after);
  }

  /** Lets all ranks wait for one another. */
  public void barrier(int stream) {
    List<Integer> all = IntStream.range(0, ranks).mapToObj(rank -> last(rank, stream)).toList();
    for (int rank = 0; rank < ranks; rank++) {
      join(rank, stream, all);
    }
  }

  /**
   * Adds transfers to one rank.
   *
   * @param rank whose stream makes them
   * @param from the senders, in the order of operands
   * @param to the receiver
   * @param bytes of each transfer
   * @param combined bytes that the receiver then combines
   * @param after what they wait for, besides what the stream did before
   * @return their number
   */
  public int add(
      int rank,
      int stream,
      List<Integer> from,
      int to,
      long bytes,
      long combined,
      List<Integer> after) {
    int row = rank * streams + stream;
    links += 1 + from.size() + after.size();
    if (links > MAX_LINKS || isTooLong) {
      isTooLong = true;
      return last[row];
    }
    int first = firstBehind(to, from);
    for (int i = 0; i < from.size(); i++) {
      entries.addSender(from.get((first + i) % from.size()));
    }
    for (int before : after) {
      addAfter(before);
    }
    addAfter(last[row]);
    last[row] = entries.add(row, to, bytes, combined);
    return last[row];
  }

  private void addAfter(int before) {
    if (before != NOTHING) {
      entries.addAfter(before);
    }
  }

  /** Ranks that read from many do not begin with the same one: each begins behind itself. */
  private static int firstBehind(int rank, List<Integer> from) {
    int first = 0;
    while (first < from.size() && from.get(first) <= rank) {
      first++;
    }
    return first;
  }

  /**
   * Adds an {@link Exchange} of all ranks.
   *
   * @param messages of all of them, in the order in which they are moved; those without bytes only
   *     let their ends wait
   * @param isPulled whether receivers move them
   */
  public void exchange(int stream, List<Message> messages, boolean isPulled) {
    int[] before = new int[ranks];
    Arrays.setAll(before, rank -> last(rank, stream));
    List<List<Integer>> moved = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      moved.add(new ArrayList<>());
    }
    for (Message each : messages) {
      int mover = isPulled ? each.to() : each.from();
      int other = isPulled ? each.from() : each.to();
      List<Integer> from = each.bytes() == 0 ? List.of() : List.of(each.from());
      List<Integer> after = List.of(before[other]);
      moved.get(other).add(add(mover, stream, from, each.to(), each.bytes(), 0, after));
    }
    for (int rank = 0; rank < ranks; rank++) {
      if (!moved.get(rank).isEmpty()) {
        join(rank, stream, moved.get(rank));
      }
    }
  }

  /**
   * Adds a step around a ring ({@link RingLinks}): every member receives from the one before it.
   *
   * @param members in ring order
   * @param received the bytes that the member at a position gets
   * @param isPulled whether receivers move them
   * @param combines whether they are combined on their way
   */
  public void ringStep(
      int stream,
      List<Integer> members,
      IntToLongFunction received,
      boolean isPulled,
      boolean combines) {
    int size = members.size();
    List<Integer> before = members.stream().map(rank -> last(rank, stream)).toList();
    List<Integer> moved = new ArrayList<>();
    for (int position = 0; position < size; position++) {
      int left = (position + size - 1) % size;
      int right = (position + 1) % size;
      int from = isPulled ? left : position;
      int to = isPulled ? position : right;
      long bytes = received.applyAsLong(to);
      moved.add(
          add(
              members.get(position),
              stream,
              bytes == 0 ? List.of() : List.of(members.get(from)),
              members.get(to),
              bytes,
              combines ? bytes : 0,
              isPulled
                  ? List.of(before.get(left), before.get(right))
                  : List.of(before.get(right))));
    }
    for (int position = 0; position < size && !isPulled; position++) {
      join(members.get(position), stream, List.of(moved.get((position + size - 1) % size)));
    }
  }

  /** Ends the steps around a ring: each member waits until the one behind it has done all. */
  public void endRing(int stream, List<Integer> members) {
    List<Integer> before = members.stream().map(rank -> last(rank, stream)).toList();
    for (int position = 0; position < members.size(); position++) {
      join(members.get(position), stream, List.of(before.get((position + 1) % members.size())));
    }
  }

  /**
   * Whether so many transfers can be added up.
   *
   * @param transfers 0 or more
   */
  public static boolean fits(long transfers) {
    return transfers <= MAX_LINKS;
  }

  /** Whether more was added than is added up, so that nothing more needs to be added. */
  public boolean isTooLong() {
    return isTooLong;
  }

  /** Transfers that were added, and what they wait for. */
  int links() {
    return links;
  }

  /** How many more can be added up. */
  int room() {
    return MAX_LINKS - links;
  }

  /** What everything that was added costs; empty if it is too long. */
  public Optional<Cost> cost() {
    if (isTooLong) {
      return Optional.empty();
    }
    Followers followers = new Followers(entries);
    return Optional.of(
        new Cost(
            messages(),
            new PortRun(entries, followers, ranks, streams, true).time(),
            new PortRun(entries, followers, ranks, streams, false).time()));
  }

  /** Messages on the longest chain; no entry waits for a later one. */
  private long messages() {
    long[] ends = new long[entries.size()];
    long longest = 0;
    for (int i = 0; i < ends.length; i++) {
      long start = 0;
      for (int before = 0; before < entries.afters(i); before++) {
        start = Math.max(start, ends[entries.after(i, before)]);
      }
      ends[i] = start + Math.min(1, entries.senders(i));
      longest = Math.max(longest, ends[i]);
    }
    return longest;
  }
}
