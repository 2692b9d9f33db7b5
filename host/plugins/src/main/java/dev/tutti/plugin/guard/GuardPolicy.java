package dev.tutti.plugin.guard;

import dev.tutti.verifier.capability.Capability;
import dev.tutti.verifier.capability.Restrictions;
import java.util.Set;

/**
 * The permissions that the guards of one plugin check. Immutable.
 *
 * @param plugin the plugin's id
 * @param granted the capabilities that it requests
 * @param restrictions the table of this host
 */
public record GuardPolicy(String plugin, Set<Capability> granted, Restrictions restrictions) {

  /** Takes an immutable copy. */
  public GuardPolicy {
    granted = Set.copyOf(granted);
  }
}
