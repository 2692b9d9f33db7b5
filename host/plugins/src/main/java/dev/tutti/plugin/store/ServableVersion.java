package dev.tutti.plugin.store;

import java.time.Instant;
import java.util.Comparator;

/**
 * A version of a plugin that could serve.
 *
 * @param choice the content and its file
 * @param modified when the file was written
 */
record ServableVersion(Decision.Choice choice, Instant modified) {

  /**
   * The order, with the best last: by version; among equal versions, the serving one whose file has
   * changed is better, so that a broken file changes nothing; then by the time of the file, then by
   * its name.
   */
  static Comparator<ServableVersion> order(Comparator<String> versions) {
    return Comparator.comparing((ServableVersion it) -> it.choice().version(), versions)
        .thenComparing(it -> it.choice().isKept())
        .thenComparing(ServableVersion::modified)
        .thenComparing(it -> it.choice().file());
  }
}
