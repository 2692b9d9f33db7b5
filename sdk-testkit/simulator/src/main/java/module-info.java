/** Simulates how long plans take on networks, without hardware. */
@SuppressWarnings("module") // The modules of the qualified exports are compiled after this one.
module dev.tutti.simulator {
  requires transitive dev.tutti.plan;
  requires transitive dev.tutti.sdk;
  requires static org.jspecify;

  exports dev.tutti.simulator;
  exports dev.tutti.simulator.flow to
      dev.tutti.verifier,
      dev.tutti.mutation;
  exports dev.tutti.simulator.page to
      dev.tutti.cli,
      dev.tutti.testkit,
      dev.tutti.verifier;
  exports dev.tutti.simulator.text to
      dev.tutti.cli,
      dev.tutti.host,
      dev.tutti.verifier;
}
