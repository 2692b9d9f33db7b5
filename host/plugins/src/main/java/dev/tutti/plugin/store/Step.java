package dev.tutti.plugin.store;

/**
 * The points at which a change of plugins can be interrupted. The page about the state directory
 * describes what the next host finds after each.
 */
public enum Step {
  /** An empty temporary file for a copy exists. */
  COPY_STARTED,
  /** Some bytes of a jar are about to be written. */
  COPY_WRITING,
  /** A copy is complete and on disk, under its temporary name. */
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
  /** A copy that is not needed is about to be deleted. */
  DELETE_STARTED,
  /** A copy that is not needed is deleted. */
  DELETE_DONE,

  /** A jar to install has passed all checks. */
  INSTALL_CHECKED,
  /** A jar to install is in the plugins directory, under its temporary name. */
  INSTALL_WRITTEN,
  /** An installed jar has its name. */
  INSTALL_NAMED,
  /** A new content was judged, and the verdict is about to be recorded. */
  EXAMINED,
  /** All jars that should serve are loaded, and are about to be recorded. */
  LOADED,
  /** In a job: all processes have loaded the jars that should serve. */
  PREPARED,
  /** In a job: no process begins to plan; each other process reaches this step by itself. */
  HELD,
  /** The new serving versions are recorded; the old ones still serve. */
  RECORDED,
  /** The selected versions serve; the replaced ones are about to be drained. */
  PUBLISHED,
  /** The replaced versions are no longer used. */
  DRAINED,
  /** Plugins that are not needed are closed. */
  RETIRED,
  /** A jar is deleted from the plugins directory, but its signature is not. */
  REMOVE_DELETED,
  /** All jars of a plugin are deleted from the plugins directory, but nothing is recorded. */
  REMOVE_SWEPT
}
