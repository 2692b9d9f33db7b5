package dev.tutti.host.pool.rules;

import dev.tutti.plugin.Algorithm;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.Arguments;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The rules that apply to one request: for each kind, the first one that matches it.
 *
 * @param pin the rule that counts, or null
 * @param prefer the rule that counts, or null
 * @param avoid the rule that counts, or null
 * @param deny the rule that counts, or null
 */
public record Ruling(
    @Nullable ChoiceRule pin,
    @Nullable ChoiceRule prefer,
    @Nullable ChoiceRule avoid,
    @Nullable ChoiceRule deny) {

  /** The same for a caller who asks for an algorithm by name: only what is denied counts. */
  public Ruling forNamed() {
    return new Ruling(null, null, null, deny);
  }

  /** Why an algorithm is out; empty if it is not. */
  public String refusal(Algorithm algorithm) {
    Arguments.require(algorithm, "algorithm");
    if (deny != null && deny.names(algorithm)) {
      return deny.toString();
    }
    return pin != null && !pin.names(algorithm) ? pin.toString() : "";
  }

  /** Negative for preferred algorithms, the best the least; positive for those to be avoided. */
  public int precedence(Algorithm algorithm) {
    Arguments.require(algorithm, "algorithm");
    if (prefer != null && prefer.names(algorithm)) {
      return prefer.indexOf(algorithm) - prefer.algorithms().size();
    }
    return avoid != null && avoid.names(algorithm) ? 1 : 0;
  }

  /** The rule that moves or sets an algorithm; empty if none does. */
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

  /**
   * The values of an algorithm's parameters: those of the caller, and of the rules for the rest.
   */
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
