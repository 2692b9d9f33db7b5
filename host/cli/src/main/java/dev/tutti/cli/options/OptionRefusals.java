package dev.tutti.cli.options;

import dev.tutti.sdk.TuttiException;
import java.util.Optional;

/** A command that can explain why it does not have some options of other programs. */
public interface OptionRefusals {

  /** Why there is no such option; empty if the option is not known. */
  Optional<TuttiException> refusal(String option);
}
