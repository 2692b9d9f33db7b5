package dev.tutti.mutation;

import java.util.Locale;

/** Mistakes of authors. */
enum Mistake {
  /** Reads the neighbouring chunk. */
  WRONG_CHUNK,
  /** Writes at an offset that is wrong by one element. */
  SHIFTED_OFFSET,
  /** Leaves out a data action. */
  DROPPED_MOVE,
  /** Copies in the wrong direction. */
  SWAPPED_OPERANDS,
  /** Copies instead of reducing. */
  COPIED_NOT_REDUCED,
  /** Reduces onto data that should be replaced. */
  REDUCED_NOT_COPIED,
  /** Moves one element too few. */
  FORGOTTEN_TAIL,
  /** Uses the memory of the next rank instead of that of a peer. */
  WRONG_PEER,
  /** Leaves out a copy of the input into staging memory, which keeps its old contents. */
  STALE_STAGING,
  /** Overwrites its input after an action has read it. */
  OVERWRITTEN_INPUT,
  /** Does not await a signal. */
  MISSING_AWAIT,
  /** Does not post a signal. */
  MISSING_POST,
  /** Neither posts nor awaits a signal. */
  MISSING_SIGNAL,
  /** Posts twice. */
  EXTRA_POST,
  /** Posts another notify of the link. */
  WRONG_NOTIFY,
  /** Moves data before it has awaited the signal for it. */
  EARLY_MOVE,
  /** Posts before it has moved the data. */
  EARLY_POST,
  /** Plans the operation without the last element. */
  SHORT_COUNT,
  /** Plans the operation for one element more. */
  LONG_COUNT,
  /** Plans only the elements that divide evenly among the ranks, without the rest. */
  WRONG_TAIL,
  /** Plans the operation for the next root. */
  WRONG_ROOT,
  /** Uses another reduction. */
  WRONG_REDUCTION,
  /** Reduces as another type of the same size. */
  WRONG_TYPE;

  /**
   * Whether the mistake plans another request; otherwise it changes actions of the correct plan.
   */
  boolean isOfRequest() {
    return compareTo(SHORT_COUNT) >= 0;
  }

  /** The stable name, for example {@code "missing-await"}. */
  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
