/**
 * Judges algorithms without a host: records the plans of all ranks, checks them, runs them on real
 * data and compares the results with an independent reference.
 */
module dev.tutti.testkit {
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
  exports dev.tutti.testkit.data;
  exports dev.tutti.testkit.junit;
  exports dev.tutti.testkit.matrix;
  exports dev.tutti.testkit.mutation;
  exports dev.tutti.testkit.plugin;
  exports dev.tutti.testkit.rule;
  exports dev.tutti.testkit.run;
  exports dev.tutti.testkit.simulate;

  uses dev.tutti.sdk.CollExecutorBase;

  provides org.junit.platform.engine.TestEngine with
      dev.tutti.testkit.junit.ProviderEngine;
}
