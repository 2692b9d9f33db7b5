package dev.tutti.plugins.template;

import dev.tutti.plugins.template.LongestChain.Message;
import dev.tutti.sdk.Cost;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.IntToLongFunction;

/**
 * What a schedule costs under the plain model where messages of several ranks meet at ports, for
 * which there is no closed form. The schedule says which transfers there are, on which streams, and
 * which ones they wait for; the recurrence is {@code end(x) = bytes(x) + max(end of all that x
 * waits for, end of what had its ports before)}, in the order in which ports are asked for.
 *
 * <p>Each term has a recurrence of its own, as if the two others were free: α holds no port, β
 * holds one of each end, γ the reducing unit of the receiver.
 *
 * <p>A schedule of more than 262,144 transfers and waits has no cost; that of its plan counts.
 */
public final class Timetable {

  private static final int NOTHING = -1;

  /** Longer schedules are not added up: who asks wants to choose an algorithm soon. */
  private static final int MAX_LINKS = 1 << 18;

  /**
   * One thing that a stream does.
   *
   * @param from the ranks at the other ends, in the order in which their messages come
   * @param combined bytes that are combined when all have come
   * @param after what must have ended before, whatever came before it on its stream among it
   */
  private record Entry(
      int stream, List<Integer> from, int to, long bytes, long combined, List<Integer> after) {}

  /** An entry that asks for ports, or for a unit. */
  private record Request(long time, int entry, int turn) {}

  private final int ranks;
  private final int streams;
  private final List<Entry> entries = new ArrayList<>();
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
    List<Integer> all = new ArrayList<>(after);
    all.add(last[row]);
    all.removeIf(entry -> entry == NOTHING);
    List<Integer> inTurn = new ArrayList<>(from);
    Collections.rotate(inTurn, -firstBehind(to, from));
    entries.add(new Entry(row, inTurn, to, bytes, combined, all));
    last[row] = entries.size() - 1;
    return last[row];
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

  /** What everything that was added costs; empty if it is too long. */
  public Optional<Cost> cost() {
    return isTooLong
        ? Optional.empty()
        : Optional.of(new Cost(messages(), new Run(true).time(), new Run(false).time()));
  }

  /** Messages on the longest chain; no entry waits for a later one. */
  private long messages() {
    long[] ends = new long[entries.size()];
    for (int i = 0; i < ends.length; i++) {
      Entry entry = entries.get(i);
      long start = entry.after.stream().mapToLong(before -> ends[before]).max().orElse(0);
      ends[i] = start + Math.min(1, entry.from.size());
    }
    return Arrays.stream(ends).max().orElse(0);
  }

  /** The recurrence of one of the terms in bytes. */
  private final class Run {

    private final boolean moves;
    private final int[] waits = new int[entries.size()];
    private final long[] starts = new long[entries.size()];
    private final List<List<Integer>> followers = new ArrayList<>();
    private final long[] senderFree = new long[ranks];
    private final long[] receiverFree = new long[ranks];
    private final long[] unitFree = new long[ranks];
    private long time;

    private final PriorityQueue<Request> requests =
        new PriorityQueue<>(
            Comparator.comparingLong(Request::time)
                .thenComparingInt(request -> entries.get(request.entry).stream));

    Run(boolean moves) {
      this.moves = moves;
      for (int i = 0; i < waits.length; i++) {
        followers.add(new ArrayList<>(2));
        waits[i] = entries.get(i).after.size();
        for (int before : entries.get(i).after) {
          followers.get(before).add(i);
        }
      }
    }

    long time() {
      for (int i = 0; i < waits.length; i++) {
        if (entries.get(i).after.isEmpty()) {
          begin(i, 0);
        }
      }
      while (!requests.isEmpty()) {
        Request request = requests.remove();
        end(request.entry, serve(request));
      }
      return time;
    }

    /** Asks for what an entry needs; one that needs nothing ends before anybody else is served. */
    private void begin(int first, long at) {
      Deque<Integer> ready = new ArrayDeque<>(List.of(first));
      starts[first] = at;
      while (!ready.isEmpty()) {
        int entry = ready.pop();
        if (needsNothing(entries.get(entry))) {
          time = Math.max(time, starts[entry]);
          release(entry, starts[entry], ready);
        } else {
          requests.add(new Request(starts[entry], entry, 0));
        }
      }
    }

    private boolean needsNothing(Entry entry) {
      return moves ? entry.from.isEmpty() : entry.combined == 0;
    }

    /** When an entry has ended, or a negative number if it has asked again. */
    private long serve(Request request) {
      Entry entry = entries.get(request.entry);
      if (!moves) {
        return combine(entry, request.time);
      }
      long left = move(entry.from.get(request.turn), entry, request.time);
      if (request.turn + 1 == entry.from.size()) {
        return left;
      }
      requests.add(new Request(left, request.entry, request.turn + 1));
      return NOTHING;
    }

    private long move(int from, Entry entry, long now) {
      long start = Math.max(now, Math.max(senderFree[from], receiverFree[entry.to]));
      senderFree[from] = start + entry.bytes;
      receiverFree[entry.to] = start + entry.bytes;
      return start + entry.bytes;
    }

    private long combine(Entry entry, long now) {
      unitFree[entry.to] = Math.max(now, unitFree[entry.to]) + entry.combined;
      return unitFree[entry.to];
    }

    private void end(int entry, long at) {
      if (at == NOTHING) {
        return;
      }
      time = Math.max(time, at);
      Deque<Integer> ready = new ArrayDeque<>();
      release(entry, at, ready);
      ready.forEach(each -> begin(each, starts[each]));
    }

    private void release(int entry, long at, Deque<Integer> ready) {
      for (int follower : followers.get(entry)) {
        starts[follower] = Math.max(starts[follower], at);
        if (--waits[follower] == 0) {
          ready.push(follower);
        }
      }
    }
  }
}
