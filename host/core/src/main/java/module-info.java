/** The API that an application embeds: context, groups, requests and the choice of algorithms. */
@SuppressWarnings("module") // The command line is built later.
module dev.tutti.host {
  requires transitive dev.tutti.engine;
  requires transitive dev.tutti.plan;
  requires transitive dev.tutti.plugin;
  requires transitive dev.tutti.sdk;
  requires dev.tutti.base;
  requires dev.tutti.simulator;
  requires dev.tutti.verifier;
  requires java.management;
  requires jdk.jfr;
  requires jdk.net;
  requires tools.jackson.core;
  requires static org.jspecify;

  exports dev.tutti.host;
  exports dev.tutti.host.call;
  exports dev.tutti.host.job to
      dev.tutti.cli;
  exports dev.tutti.host.pool;
  exports dev.tutti.host.pool.rules;
  exports dev.tutti.host.status;
}
