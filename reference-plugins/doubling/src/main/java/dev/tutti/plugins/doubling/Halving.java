package dev.tutti.plugins.doubling;

import dev.tutti.plugins.template.Exchanges;
import dev.tutti.plugins.template.Transfer;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Slice;
import java.util.List;

/**
 * The steps of the ranks that have a place, on a vector with one part for each place.
 *
 * @param partners the partners of this rank
 * @param ranks the number of ranks
 * @param own this rank's operand
 * @param work the memory for sums and gathered parts; in place, the same as {@code own}
 * @param parts one for each place, relative to {@code own} and {@code work}
 */
record Halving(Partners partners, int ranks, DeviceMem own, DeviceMem work, List<Slice> parts) {

  Halving {
    parts = List.copyOf(parts);
  }

  /**
   * In each step, from the largest distance to the smallest, a rank keeps the half of its parts
   * that contains its own place. It sends the other half to its partner, and receives the partner's
   * sums of the kept half. A rank that is not folded begins with its operand.
   */
  void reduceScatter(Exchanges exchanges) {
    int first = partners.exchanges().size() - 1;
    for (int step = first; step >= 0; step--) {
      int peer = partners.exchanges().get(step);
      Slice sent = group(partners.place() ^ (1 << step), step);
      Slice kept = group(partners.place(), step);
      DeviceMem mine = step == first && !partners.isFolded() ? own : work;
      DeviceMem theirs = step == first && !Partners.isFolded(peer, ranks) ? own : work;
      exchanges.exchange(
          new Transfer(peer, mine.slice(sent), work.type(), work.offset() + sent.offset()),
          new Transfer(peer, work.slice(kept), theirs.type(), theirs.offset() + kept.offset()),
          mine.slice(kept));
    }
  }

  /** The same steps in reverse: a rank sends the parts that it has, and receives as many. */
  void allGather(Exchanges exchanges) {
    for (int step = 0; step < partners.exchanges().size(); step++) {
      int peer = partners.exchanges().get(step);
      DeviceMem sent = work.slice(group(partners.place(), step));
      DeviceMem received = work.slice(group(partners.place() ^ (1 << step), step));
      exchanges.exchange(Transfer.atSamePlace(peer, sent), Transfer.atSamePlace(peer, received));
    }
  }

  /** The parts of the 2^step places that differ from a place only in the lowest bits. */
  private Slice group(int place, int step) {
    Slice first = parts.get((place >> step) << step);
    Slice last = parts.get((((place >> step) + 1) << step) - 1);
    return new Slice(first.offset(), last.offset() + last.size() - first.offset());
  }
}
