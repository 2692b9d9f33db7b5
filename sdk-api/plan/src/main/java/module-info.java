/** What algorithms emit: plans, their recording and their file format. Plugins do not see it. */
@SuppressWarnings("module") // Those who may see more are built later.
module dev.tutti.plan {
  requires transitive dev.tutti.sdk;
  requires static org.jspecify;

  exports dev.tutti.plan;
  exports dev.tutti.plan.text to
      dev.tutti.engine,
      dev.tutti.plugin,
      dev.tutti.host,
      dev.tutti.cli;
}
