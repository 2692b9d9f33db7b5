/** What all parts of the host share: how they wait, and how they say things. */
@SuppressWarnings("module") // Those who may see it are built later.
module dev.tutti.base {
  requires dev.tutti.sdk;
  requires static org.jspecify;

  exports dev.tutti.base.idle to
      dev.tutti.engine,
      dev.tutti.plugin,
      dev.tutti.host,
      dev.tutti.cli;
  exports dev.tutti.base.text to
      dev.tutti.engine,
      dev.tutti.plugin,
      dev.tutti.host,
      dev.tutti.cli;
}
