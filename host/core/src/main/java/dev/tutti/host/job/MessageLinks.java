package dev.tutti.host.job;

import dev.tutti.engine.message.MessageWorld;
import dev.tutti.engine.message.Wire;
import java.util.Arrays;

/**
 * The message links of a group whose processes share no memory. Immutable.
 *
 * @param world the processes of the job
 * @param processes the number in the job of each process of the group, in the order of its {@link
 *     GroupProcesses}
 * @param channel the channel of the group, which no other open group has
 * @param ranksHere the number of its ranks on this machine
 */
public record MessageLinks(MessageWorld world, int[] processes, int channel, int ranksHere) {

  /** The number of plans of a meeting that the tags of their messages can distinguish. */
  private static final int PLANS = 256;

  /**
   * The largest number of groups that can be open at once; a few tags remain for other messages.
   */
  static int channels(MessageWorld world) {
    return world.maxTag() / (2 * PLANS);
  }

  /**
   * Makes a wire for a plan that ranks have agreed on. The tag of the wire depends on the plan, so
   * ranks that run different plans do not take each other's messages.
   *
   * @param isTransfer whether only two ranks run the plan, concurrently with the operations of all
   *     ranks
   * @param agreed the number of the agreed plan
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
