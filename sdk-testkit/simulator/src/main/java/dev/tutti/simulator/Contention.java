package dev.tutti.simulator;

import dev.tutti.plan.RankPlan;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.simulator.flow.FlatStream;
import java.util.List;

/**
 * Finds the ports, uplinks and units that more than one stream of a plan uses. A resource that only
 * one stream uses is never contended, because a stream runs one action at a time. Immutable once
 * built.
 */
final class Contention {

  private static final int NOBODY = 0;
  private static final int SEVERAL = -1;

  private final Network network;
  private final SharedResources resources;
  private final boolean isCopyFree;
  private final boolean isReductionFree;

  /** For each resource: the stream that uses it, plus 1; or NOBODY, or SEVERAL. */
  private final int[] user;

  /** The same for the unit of each rank. */
  private final int[] unitUser;

  Contention(FlatPlan plan, Network network, SharedResources resources) {
    this.network = network;
    this.resources = resources;
    this.isCopyFree = network.model().copy().picoseconds() == 0;
    this.isReductionFree = network.model().reduction().picoseconds() == 0;
    this.user = new int[resources.count()];
    this.unitUser = new int[network.rankSize()];
    List<FlatStream> streams = plan.streams();
    for (int stream = 0; stream < streams.size(); stream++) {
      FlatStream code = streams.get(stream);
      int size = code.size();
      for (int event = 0; event < size; event++) {
        if (code.sync(event) == FlatStream.DATA) {
          add(stream + 1, code.plan(event), code.action(event));
        }
      }
    }
  }

  private void add(int stream, RankPlan code, int action) {
    int dst = code.dstRank(action);
    int sources = code.sourceCount(action);
    boolean isCopy = !Demand.combines(code.kind(action), sources);
    for (int i = 0; i < sources; i++) {
      int src = code.srcRank(action, i);
      if (src != dst) {
        int level = network.level(src, dst);
        for (int end = resources.ends(level) - 1; end >= 0; end--) {
          mark(user, resources.resource(end, src, dst, level), stream);
        }
      } else if (isCopy && !isCopyFree) {
        mark(unitUser, dst, stream);
      }
    }
    if (!isCopy && !isReductionFree) {
      mark(unitUser, dst, stream);
    }
  }

  private static void mark(int[] users, int number, int stream) {
    if (users[number] != stream) {
      users[number] = users[number] == NOBODY ? stream : SEVERAL;
    }
  }

  /** Whether only one stream uses the resources between two ranks. */
  boolean isAlone(int src, int dst, int level) {
    for (int end = resources.ends(level) - 1; end >= 0; end--) {
      if (user[resources.resource(end, src, dst, level)] == SEVERAL) {
        return false;
      }
    }
    return true;
  }

  /** Whether at most one stream uses the unit of a rank. */
  boolean isUnitAlone(int rank) {
    return unitUser[rank] != SEVERAL;
  }
}
