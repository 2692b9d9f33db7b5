package dev.tutti.mutation;

import java.util.Locale;

/** A kind of change to an action or to a request. */
public enum Operator {
  /** The action is left out. */
  DROP,
  /** The action is duplicated. */
  DUPLICATE,
  /** The action is swapped with the next one of its stream. */
  SWAP,
  /** The destination or a source is shifted by one element. */
  SHIFT,
  /** The action moves one element more or fewer. */
  SIZE,
  /** The action reduces elements as another type. */
  TYPE,
  /**
   * The action uses another reduction, or copies elements instead of reducing them, or vice versa.
   */
  REDUCTION,
  /** The action moves data to or from another rank, or uses another link. */
  PEER,
  /** The action uses another notify, or a post becomes an await, or vice versa. */
  NOTIFY,
  /** The action is on another stream. */
  STREAM,
  /** A request has one link more or fewer, or another one. */
  LINK,
  /** A request has more or fewer streams or notifies, or more or less memory. */
  RESOURCE;

  /** The stable name, for example {@code "drop"}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
