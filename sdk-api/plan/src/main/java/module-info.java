/** What algorithms emit: plans, their recording and their file format. Plugins do not see it. */
@SuppressWarnings("module") // The modules that may see more are built later.
module dev.tutti.plan {
  requires transitive dev.tutti.sdk;
  requires static org.jspecify;

  exports dev.tutti.plan;
  exports dev.tutti.plan.json to
      dev.tutti.cli,
      dev.tutti.simulator,
      dev.tutti.verifier;
}
