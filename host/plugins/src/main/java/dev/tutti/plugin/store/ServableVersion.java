package dev.tutti.plugin.store;

import java.time.Instant;
import java.util.Comparator;

/**
 * What could serve of a plugin.
 *
 * @param choice the content and its file
 * @param modified when the file was written
 */
record ServableVersion(Decision.Choice choice, Instant modified) {

  /**
   * The best is the last: the newest version; of one version what serves although its file has
   * changed, so that a broken file changes nothing; then the later file, then the greater name.
   */
  static Comparator<ServableVersion> order(Comparator<String> versions) {
    return Comparator.comparing((ServableVersion it) -> it.choice().version(), versions)
        .thenComparing(it -> it.choice().isKept())
        .thenComparing(ServableVersion::modified)
        .thenComparing(it -> it.choice().file());
  }
}
