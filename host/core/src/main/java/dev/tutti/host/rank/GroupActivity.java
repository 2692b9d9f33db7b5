package dev.tutti.host.rank;

import dev.tutti.host.group.SlotHolder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a group is in the middle of. Two looks that are equal show a group that has not gone on.
 *
 * @param holder who has the run slot; null if it is free
 * @param run the number of its run
 * @param rounds the meetings that the ranks are in; null for a rank in none
 */
public record GroupActivity(@Nullable SlotHolder holder, long run, List<@Nullable Round> rounds) {

  public boolean isBusy() {
    return holder != null || rounds.stream().anyMatch(round -> round != null);
  }
}
