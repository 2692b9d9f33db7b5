package dev.tutti.plugin;

/** The version of sdk-api that this host provides to plugins. */
public final class SpiVersion {

  /** The version, without a qualifier. */
  public static final String CURRENT = "0.1.0";

  private SpiVersion() {}
}
