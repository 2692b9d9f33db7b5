package dev.tutti.host.rank;

import dev.tutti.host.group.SlotHolder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The activity of a group at one moment. If two of them are equal, the group has made no progress
 * in between.
 *
 * @param holder the holder of the run slot; null if it is free
 * @param run the number of its run
 * @param operations the numbers of the operations that the ranks are in; 0 for a rank in none
 */
public record GroupActivity(@Nullable SlotHolder holder, long run, List<Long> operations) {

  public boolean isBusy() {
    return holder != null || operations.stream().anyMatch(number -> number != 0);
  }
}
