package dev.tutti.mutation;

import java.util.Locale;

/** The change of an action or of a request. */
public enum Operator {
  /** The action is left out. */
  DROP,
  /** The action is duplicated. */
  DUPLICATE,
  /** The action is swapped with the next one of its stream. */
  SWAP,
  /** The destination or a source is moved by one element. */
  SHIFT,
  /** One element more or less is moved. */
  SIZE,
  /** Elements are reduced as another type. */
  TYPE,
  /** The reduction is another one, or elements are copied instead of reduced, or vice versa. */
  REDUCTION,
  /** Data goes to or comes from another rank, or the link is another one. */
  PEER,
  /** The notify is another one, or a post becomes an await, or vice versa. */
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
