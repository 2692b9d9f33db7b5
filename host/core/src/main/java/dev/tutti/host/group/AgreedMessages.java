package dev.tutti.host.group;

/** A plan that ranks without shared memory have agreed on, and can run without a new agreement. */
public sealed interface AgreedMessages permits MessageBindings.Agreed, JoinedMessages {

  /** The number that all ranks have agreed on. */
  long number();

  /** Whether a plugin that made the plan no longer serves. Allocates nothing. */
  boolean isRetired();

  /** The choice of the plan, for other processes. */
  ChosenPlan chosen();
}
