/** The host: runtime environment, plugins, plan pool, engine and command line. */
module dev.tutti.host {
  requires transitive dev.tutti.plan;
  requires transitive dev.tutti.sdk;
  requires dev.tutti.testkit;
  requires info.picocli;
  requires java.management;
  requires jdk.jfr;
  requires net.bytebuddy;
  requires tools.jackson.core;
  requires static org.jspecify;
  requires static jdk.incubator.vector;

  exports dev.tutti.host;
  exports dev.tutti.host.machine;
  exports dev.tutti.host.plugin;
  exports dev.tutti.host.pool;
  exports dev.tutti.host.pool.rules;
  exports dev.tutti.host.status;

  opens dev.tutti.host.cli to
      info.picocli;

  uses dev.tutti.sdk.CollExecutorBase;
}
