package dev.tutti.mutation;

import java.util.Locale;

/** What is done to an action, or to a request. */
public enum Operator {
  /** The action is left out. */
  DROP,
  /** The action is there twice. */
  DUPLICATE,
  /** The action changes places with the next one of its stream. */
  SWAP,
  /** The destination or a source is moved by one element. */
  SHIFT,
  /** One element more or less is moved. */
  SIZE,
  /** Elements are reduced as another type. */
  TYPE,
  /** Elements are reduced in another way, or copied instead, or reduced instead of copied. */
  REDUCTION,
  /** Data goes to or comes from another rank, or the link is another one. */
  PEER,
  /** The notify is another one, or a post an await, or the other way round. */
  NOTIFY,
  /** The action is on another stream. */
  STREAM,
  /** A request asks for one link more or less, or for another one. */
  LINK,
  /** A request asks for more or less of streams, notifies or memory. */
  RESOURCE;

  /** The stable name, for example {@code "drop"}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
