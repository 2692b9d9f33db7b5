/** Plans, their recording and their file format. Plugins do not see this module. */
@SuppressWarnings("module") // The modules of the qualified export are compiled after this one.
module dev.tutti.plan {
  requires transitive dev.tutti.sdk;
  requires static org.jspecify;

  exports dev.tutti.plan;
  exports dev.tutti.plan.work;
  exports dev.tutti.plan.json to
      dev.tutti.cli,
      dev.tutti.simulator,
      dev.tutti.verifier;
}
