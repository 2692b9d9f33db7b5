package dev.tutti.simulator;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.RankPlan;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.simulator.flow.FlatStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Draws a plan as a picture in SVG: a lane for each rank, time from left to right, and an arrow for
 * each message, coloured by its place in the destination vector. Messages that are reduced into
 * their destination end in a circle, others in an arrowhead. Times follow the plain model, in which
 * a vector takes twice as long on the wire as a message of no bytes. A plan that moves no data
 * between ranks, such as a barrier, is drawn with its notifies instead.
 */
public final class Diagram {

  /** The most ranks of a picture. */
  public static final int MAX_RANKS = 64;

  /** The most messages of a picture. */
  public static final int MAX_MESSAGES = 4096;

  private static final long ALPHA = 1_000_000;
  private static final long VECTOR_TIME = 2 * ALPHA;

  private final FlatPlan plan;
  private final long vector;
  private final List<Arrow> messages = new ArrayList<>();
  private final List<Arrow> notifies = new ArrayList<>();

  /**
   * A message or a notify from one rank to another.
   *
   * @param place its place in the destination vector, 0 to 1
   */
  record Arrow(int from, int to, long start, long end, double place, boolean reduces) {}

  private Diagram(GroupPlan plan) {
    this.plan = FlatPlan.of(plan);
    long longest = 1;
    for (RankPlan rank : plan.ranks()) {
      longest = Math.max(longest, rank.memSize(TransportMemType.PARAM_INPUT));
      longest = Math.max(longest, rank.memSize(TransportMemType.PARAM_OUTPUT));
    }
    this.vector = longest;
  }

  /**
   * Draws a plan.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if it has more ranks or messages
   *     than a picture can show, and as {@link Simulator#run(GroupPlan)}
   */
  public static String toSvg(GroupPlan plan) {
    requireRanks(plan.rankSize());
    Diagram diagram = new Diagram(plan);
    diagram.simulate();
    List<Arrow> arrows = diagram.messages.isEmpty() ? diagram.notifies : diagram.messages;
    check("messages", arrows.size(), MAX_MESSAGES);
    return new DiagramText(plan, arrows, diagram.messages.isEmpty()).toString();
  }

  /**
   * Checks that a picture can show a number of ranks.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if they are more than {@link
   *     #MAX_RANKS}
   */
  public static void requireRanks(int ranks) {
    check("ranks", ranks, MAX_RANKS);
  }

  private static void check(String what, int count, int most) {
    if (count > most) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "a picture takes up to %d %s. Actual: %d; draw fewer ranks or fewer elements",
          most,
          what,
          count);
    }
  }

  private void simulate() {
    // A plan that moves nothing has only notifies to show.
    NetworkModel model =
        movesData()
            ? NetworkModel.plain(ALPHA, new PerByte(VECTOR_TIME, vector), PerByte.FREE)
            : NetworkModel.builder().notifyTime(ALPHA).build();
    new Engine(plan, new Network(model, plan.plan().rankSize()), new Log()).run();
  }

  private boolean movesData() {
    boolean[] moves = new boolean[1];
    for (int rank = 0; rank < plan.plan().rankSize(); rank++) {
      int owner = rank;
      plan.forEachAccess(
          rank,
          (stream, event, memory, offset, bytes, isWrite) ->
              moves[0] |= FlatPlan.memoryRank(memory) != owner);
    }
    return moves[0];
  }

  private final class Log implements EngineLog {

    /** When each post ran and when its signal arrived, by stream and event. */
    private final Map<Long, long[]> posts = new HashMap<>();

    @Override
    public void data(int record, int stream, int event, long start, long end, int cause) {
      FlatStream code = plan.streams().get(stream);
      RankPlan own = code.plan(event);
      int action = code.action(event);
      int to = own.dstRank(action);
      double place = (double) own.dstOffset(action) / vector;
      boolean reduces = Demand.combines(own.kind(action), own.sourceCount(action));
      for (int i = 0; i < own.sourceCount(action); i++) {
        int from = own.srcRank(action, i);
        if (from != to) {
          messages.add(new Arrow(from, to, start, end, Math.min(1, place), reduces));
        }
      }
    }

    @Override
    public void post(int stream, int event, long from, long to) {
      posts.put(key(stream, event), new long[] {from, to});
    }

    @Override
    public void await(int stream, int event, long from, long to, int postStream, int postEvent) {
      int poster = plan.streams().get(postStream).rank();
      int waiter = plan.streams().get(stream).rank();
      long[] times = posts.get(key(postStream, postEvent));
      if (poster != waiter && times != null) {
        notifies.add(new Arrow(poster, waiter, times[0], times[1], 0, false));
      }
    }

    private static long key(int stream, int event) {
      return (long) stream << 32 | event;
    }
  }
}
