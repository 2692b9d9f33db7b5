package dev.tutti.host.plugin.store;

/** The points between which an operation on the state directory can be cut off. */
enum Step {
  /** An empty temporary file for a copy is there. */
  COPY_STARTED,
  /** Some bytes of a jar are about to be written. */
  COPY_WRITING,
  /** A copy is whole and on disk, under its temporary name. */
  COPY_SYNCED,
  /** A copy has its name. */
  COPY_NAMED,
  /** A line is about to be written. */
  APPEND_STARTED,
  /** A line is written, but perhaps not on disk. */
  APPEND_WRITTEN,
  /** A line is on disk. */
  APPEND_SYNCED,
  /** A shorter journal is about to be written. */
  REWRITE_STARTED,
  /** An entry of a shorter journal is about to be written. */
  REWRITE_WRITING,
  /** A shorter journal is on disk, under its temporary name. */
  REWRITE_SYNCED,
  /** A shorter journal has its name. */
  REWRITE_NAMED,
  /** A copy nobody needs is about to be deleted. */
  DELETE_STARTED,
  /** A copy nobody needs is deleted. */
  DELETE_DONE
}
