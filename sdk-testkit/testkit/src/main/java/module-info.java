/** Test tools for authors of algorithms, on top of the verifier and the simulator. */
module dev.tutti.testkit {
  requires transitive dev.tutti.verifier;
  requires static com.tngtech.archunit;
  requires static net.bytebuddy;
  requires static org.jspecify;
  requires static org.junit.jupiter.api;
  requires static org.junit.platform.engine;

  exports dev.tutti.testkit.arch;
  exports dev.tutti.testkit.assertions;
  exports dev.tutti.testkit.calls;
  exports dev.tutti.testkit.junit;
  exports dev.tutti.testkit.plugin;

  uses dev.tutti.sdk.CollExecutorBase;

  provides org.junit.platform.engine.TestEngine with
      dev.tutti.testkit.junit.ProviderEngine;
}
