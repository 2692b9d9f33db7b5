package dev.tutti.plugin.live;

import dev.tutti.base.text.Sentence;
import dev.tutti.plugin.SpiVersion;

/**
 * The version of the host whose verdicts are valid: those of another host, another SPI or another
 * Java may be different.
 */
final class HostVersion {

  /** For example {@code "0.1.0 (spi 0.1.0, java 25)"}. */
  static final String CURRENT =
      Sentence.of("%s (spi %s, java %d)", own(), SpiVersion.CURRENT, Runtime.version().feature());

  private HostVersion() {}

  private static String own() {
    Module module = HostVersion.class.getModule();
    return module.isNamed() && module.getDescriptor() != null
        ? module.getDescriptor().rawVersion().orElse("unknown")
        : "unknown";
  }
}
