package dev.tutti.plan;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.AbstractList;
import java.util.List;

/** Resources of a rank that it has asked for; asking for one beyond them says how to get it. */
final class Granted<T> extends AbstractList<T> {

  private final List<T> granted;
  private final int rank;
  private final String what;
  private final String askedIn;

  private Granted(List<T> granted, int rank, String what, String askedIn) {
    this.granted = granted;
    this.rank = rank;
    this.what = what;
    this.askedIn = askedIn;
  }

  /**
   * Unmodifiable view.
   *
   * @param what the resources, in the plural
   * @param askedIn the method in which an executor asks for them
   */
  static <T> List<T> of(List<T> granted, int rank, String what, String askedIn) {
    return new Granted<>(granted, rank, what, askedIn);
  }

  @Override
  public T get(int index) {
    if (index < 0 || index >= granted.size()) {
      throw new TuttiException(
          ErrorCode.RESOURCE_MISMATCH,
          "rank %d has %d %s here, numbered from 0; ask for more in %s. Actual: number %d",
          rank,
          granted.size(),
          what,
          askedIn,
          index);
    }
    return granted.get(index);
  }

  @Override
  public T getFirst() {
    return get(0);
  }

  @Override
  public T getLast() {
    return get(Math.max(0, granted.size() - 1));
  }

  @Override
  public int size() {
    return granted.size();
  }
}
