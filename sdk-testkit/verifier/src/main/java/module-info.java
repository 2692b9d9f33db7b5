/**
 * Judges algorithms without a host: records the plans of all ranks, checks them, runs them on real
 * data and compares the results with an independent reference.
 */
@SuppressWarnings("module") // The modules that the qualified exports name are built later.
module dev.tutti.verifier {
  requires transitive dev.tutti.plan;
  requires transitive dev.tutti.sdk;
  requires transitive dev.tutti.simulator;
  requires java.management;
  requires static jdk.management;
  requires static net.bytebuddy;
  requires static org.jspecify;

  exports dev.tutti.verifier;
  exports dev.tutti.verifier.capability;
  exports dev.tutti.verifier.data;
  exports dev.tutti.verifier.element to
      dev.tutti.mutation;
  exports dev.tutti.verifier.gate to
      dev.tutti.host,
      dev.tutti.cli,
      dev.tutti.plugin,
      dev.tutti.testkit;
  exports dev.tutti.verifier.matrix;
  exports dev.tutti.verifier.page to
      dev.tutti.cli,
      dev.tutti.testkit;
  exports dev.tutti.verifier.planning to
      dev.tutti.testkit;
  exports dev.tutti.verifier.process to
      dev.tutti.plugin;
  exports dev.tutti.verifier.purity;
  exports dev.tutti.verifier.resource;
  exports dev.tutti.verifier.rule;
  exports dev.tutti.verifier.run;
}
