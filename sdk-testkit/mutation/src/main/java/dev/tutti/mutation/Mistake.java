package dev.tutti.mutation;

import java.util.Locale;

/** Mistakes of authors. */
enum Mistake {
  /** Reads the neighbouring chunk. */
  WRONG_CHUNK,
  /** Writes one element beside the right place. */
  SHIFTED_OFFSET,
  /** Leaves out an action that moves data. */
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
  /** Plans the elements that divide evenly among the ranks, and none of the rest. */
  WRONG_TAIL,
  /** Plans the operation for the next root. */
  WRONG_ROOT,
  /** Uses another reduction. */
  WRONG_REDUCTION,
  /** Reduces as another type of the same size. */
  WRONG_TYPE;

  /** Whether the plan is for another request; if not, actions of the correct plan are changed. */
  boolean isOfRequest() {
    return compareTo(SHORT_COUNT) >= 0;
  }

  /** The stable name, for example {@code "missing-await"}. */
  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
