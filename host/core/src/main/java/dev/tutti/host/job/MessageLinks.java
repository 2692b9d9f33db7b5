package dev.tutti.host.job;

import dev.tutti.engine.message.MessageWorld;
import dev.tutti.engine.message.Wire;
import java.util.Arrays;

/**
 * The way of a group's data where its processes share no memory: messages. Immutable.
 *
 * @param world the processes of the job
 * @param processes for each process of the group, as its {@link GroupProcesses} number them, the
 *     number in the job
 * @param channel tells the group from all others that are open
 * @param ranksHere how many of its ranks are on this machine
 */
public record MessageLinks(MessageWorld world, int[] processes, int channel, int ranksHere) {

  /** The number of plans of a meeting that the tags of their messages can distinguish. */
  private static final int PLANS = 256;

  /** The most groups that can be open at the same time; a few tags are left for others. */
  static int channels(MessageWorld world) {
    return world.maxTag() / (2 * PLANS);
  }

  /**
   * A wire for what ranks have agreed on. As its tag follows from that, ranks that run different
   * plans do not take each other's messages.
   *
   * @param isTransfer whether two ranks run it, beside what all do
   * @param agreed the number of what they have agreed on
   */
  public Wire newWire(boolean isTransfer, long agreed) {
    int plan = (int) Math.floorMod(agreed, (long) PLANS);
    return world.newWire((channel * 2 + (isTransfer ? 1 : 0)) * PLANS + plan, processes);
  }

  @Override
  public String toString() {
    return "channel " + channel + " of processes " + Arrays.toString(processes);
  }
}
