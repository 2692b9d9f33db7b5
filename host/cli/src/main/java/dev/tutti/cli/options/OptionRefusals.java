package dev.tutti.cli.options;

import dev.tutti.sdk.TuttiException;
import java.util.Optional;

/** A command that knows options of other programs, and why it does not have them. */
public interface OptionRefusals {

  /** Why there is no such option; empty if nothing is known of it. */
  Optional<TuttiException> refusal(String option);
}
