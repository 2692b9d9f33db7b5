/** The parts that the whole host shares: waiting, the text of messages, failures of listeners. */
@SuppressWarnings("module") // The modules with access are built later.
module dev.tutti.base {
  requires dev.tutti.sdk;
  requires static org.jspecify;

  exports dev.tutti.base.idle to
      dev.tutti.engine,
      dev.tutti.plugin,
      dev.tutti.host,
      dev.tutti.cli;
  exports dev.tutti.base.listener to
      dev.tutti.plugin,
      dev.tutti.host;
  exports dev.tutti.base.text to
      dev.tutti.engine,
      dev.tutti.plugin,
      dev.tutti.host,
      dev.tutti.cli;
}
