/** Loads, checks, keeps, admits and swaps plugins; does not know groups. */
@SuppressWarnings("module") // The modules with full access are built later.
module dev.tutti.plugin {
  requires transitive dev.tutti.plan;
  requires transitive dev.tutti.sdk;
  requires dev.tutti.base;
  requires dev.tutti.verifier;
  requires java.management;
  requires jdk.jfr;
  requires net.bytebuddy;
  requires tools.jackson.core;
  requires static org.jspecify;

  exports dev.tutti.plugin;
  exports dev.tutti.plugin.file to
      dev.tutti.host,
      dev.tutti.cli;
  exports dev.tutti.plugin.json to
      dev.tutti.host,
      dev.tutti.cli;
  exports dev.tutti.plugin.limit to
      dev.tutti.host,
      dev.tutti.cli;
  exports dev.tutti.plugin.live to
      dev.tutti.host,
      dev.tutti.cli;
  exports dev.tutti.plugin.process to
      dev.tutti.host,
      dev.tutti.cli;
  exports dev.tutti.plugin.signature to
      dev.tutti.cli;
  exports dev.tutti.plugin.store to
      dev.tutti.host,
      dev.tutti.cli;

  uses dev.tutti.sdk.CollExecutorBase;
}
