/**
 * Judges algorithms without a host: records the plans of all ranks, checks them, runs them on real
 * data and compares the results with an independent reference.
 */
@SuppressWarnings("module") // The host is built later.
module dev.tutti.testkit {
  requires transitive dev.tutti.plan;
  requires transitive dev.tutti.sdk;
  requires java.management;
  requires static com.tngtech.archunit;
  requires static jdk.management;
  requires static net.bytebuddy;
  requires static org.jspecify;
  requires static org.junit.jupiter.api;
  requires static org.junit.platform.engine;

  exports dev.tutti.testkit;
  exports dev.tutti.testkit.arch;
  exports dev.tutti.testkit.assertions;
  exports dev.tutti.testkit.calls;
  exports dev.tutti.testkit.capability;
  exports dev.tutti.testkit.data;
  exports dev.tutti.testkit.purity;
  exports dev.tutti.testkit.gate to
      dev.tutti.host;
  exports dev.tutti.testkit.junit;
  exports dev.tutti.testkit.matrix;
  exports dev.tutti.testkit.mutation;
  exports dev.tutti.testkit.plugin;
  exports dev.tutti.testkit.process to
      dev.tutti.host;
  exports dev.tutti.testkit.rule;
  exports dev.tutti.testkit.run;
  exports dev.tutti.testkit.simulate;

  uses dev.tutti.sdk.CollExecutorBase;

  provides org.junit.platform.engine.TestEngine with
      dev.tutti.testkit.junit.ProviderEngine;
}
