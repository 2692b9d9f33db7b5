package dev.tutti.verifier.capability;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The condition under which a plugin may use a member of the JDK.
 *
 * @param capability what the plugin must request; null if no plugin can get it
 * @param advice what the author can do, as a clause
 */
public record Restriction(@Nullable Capability capability, String advice) {

  /** No plugin may use this, because it would harm the host. */
  static final Restriction NEVER =
      new Restriction(
          null,
          "no plugin may do that, because it changes or stops the whole host, or bypasses guards");

  /** No plugin may use this, because the table does not name it. */
  static final Restriction UNKNOWN =
      new Restriction(
          null, "no plugin may do that, because it is not on the list of what planning needs");

  /** A restriction that a capability lifts. */
  public static Restriction of(Capability capability) {
    return new Restriction(
        capability,
        "ask for the capability '" + capability.label() + "' in META-INF/tutti/plugin.json");
  }

  /** Whether a plugin with these capabilities may use the member. */
  public boolean isLifted(Set<Capability> granted) {
    return capability != null && granted.contains(capability);
  }
}
