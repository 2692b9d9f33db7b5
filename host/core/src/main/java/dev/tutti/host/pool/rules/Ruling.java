package dev.tutti.host.pool.rules;

import dev.tutti.plugin.Algorithm;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.Arguments;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The rules that apply to one request: for each kind, the first rule that matches it.
 *
 * @param pin the pin rule that applies, or null
 * @param prefer the prefer rule that applies, or null
 * @param avoid the avoid rule that applies, or null
 * @param deny the deny rule that applies, or null
 */
public record Ruling(
    @Nullable ChoiceRule pin,
    @Nullable ChoiceRule prefer,
    @Nullable ChoiceRule avoid,
    @Nullable ChoiceRule deny) {

  /** The same for a request that names an algorithm: only the deny rule applies. */
  public Ruling forNamed() {
    return new Ruling(null, null, null, deny);
  }

  /** Why an algorithm is excluded; empty if it is not. */
  public String refusal(Algorithm algorithm) {
    Arguments.require(algorithm, "algorithm");
    if (deny != null && deny.names(algorithm)) {
      return deny.toString();
    }
    return pin != null && !pin.names(algorithm) ? pin.toString() : "";
  }

  /**
   * The precedence of an algorithm: negative if a rule prefers it, and lowest for the most
   * preferred; positive if a rule avoids it; else 0.
   */
  public int precedence(Algorithm algorithm) {
    Arguments.require(algorithm, "algorithm");
    if (prefer != null && prefer.names(algorithm)) {
      return prefer.indexOf(algorithm) - prefer.algorithms().size();
    }
    return avoid != null && avoid.names(algorithm) ? 1 : 0;
  }

  /** The rule that pins, prefers or avoids an algorithm; empty if there is none. */
  public String reason(Algorithm algorithm) {
    Arguments.require(algorithm, "algorithm");
    if (pin != null && pin.names(algorithm)) {
      return pin.toString();
    }
    if (prefer != null && prefer.names(algorithm)) {
      return prefer.toString();
    }
    return avoid != null && avoid.names(algorithm) ? avoid.toString() : "";
  }

  /** The values of an algorithm's parameters: the caller's, and those of rules for the others. */
  public AlgOptions parameters(Algorithm algorithm, AlgOptions ofCaller) {
    Arguments.require(algorithm, "algorithm");
    Arguments.require(ofCaller, "ofCaller");
    Map<String, String> values = new TreeMap<>();
    if (prefer != null && prefer.names(algorithm)) {
      values.putAll(prefer.parameters().values());
    }
    if (pin != null && pin.names(algorithm)) {
      values.putAll(pin.parameters().values());
    }
    values.putAll(ofCaller.values());
    return values.isEmpty() ? AlgOptions.none() : new AlgOptions(values);
  }
}
