package dev.tutti.host.rank;

import dev.tutti.host.group.SlotHolder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a group is in the middle of. Two looks that are equal show a group that has not gone on.
 *
 * @param holder who has the run slot; null if it is free
 * @param run the number of its run
 * @param operations the numbers of the operations that the ranks are in; 0 for a rank in none
 */
public record GroupActivity(@Nullable SlotHolder holder, long run, List<Long> operations) {

  public boolean isBusy() {
    return holder != null || operations.stream().anyMatch(number -> number != 0);
  }
}
