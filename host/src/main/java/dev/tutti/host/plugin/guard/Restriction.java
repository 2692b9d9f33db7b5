package dev.tutti.host.plugin.guard;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What stands between a plugin and a member of the JDK.
 *
 * @param capability what the plugin must ask for, or null if no plugin gets it
 */
public record Restriction(@Nullable Capability capability) {

  /** Whether a plugin with these capabilities may use the member. */
  public boolean isLifted(Set<Capability> granted) {
    return capability != null && granted.contains(capability);
  }

  /** What to do about it. */
  public String advice() {
    return capability == null
        ? "no plugin may do that, because it changes or stops the whole host, or goes around guards"
        : "ask for the capability '" + capability.label() + "' in META-INF/tutti/plugin.json";
  }
}
