/** The parts that the whole host shares: waiting, and the text of messages. */
@SuppressWarnings("module") // The modules with access are built later.
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
