package dev.tutti.plugin.live;

/** A user that runs plans: a group. */
public interface PlanUser {

  /** Whether a run of a plan of the generation is under way. */
  boolean isRunning(Generation generation);
}
