/** Compiles plans and runs them; knows neither plugins nor groups. */
@SuppressWarnings("module") // The modules with full access are built later.
module dev.tutti.engine {
  requires transitive dev.tutti.plan;
  requires transitive dev.tutti.sdk;
  requires dev.tutti.base;
  requires java.management;
  requires static jdk.incubator.vector;
  requires static jdk.management;
  requires static org.jspecify;

  exports dev.tutti.engine to
      dev.tutti.host,
      dev.tutti.cli;
  exports dev.tutti.engine.kernel to
      dev.tutti.host,
      dev.tutti.cli;
  exports dev.tutti.engine.machine;
  exports dev.tutti.engine.trace;
  exports dev.tutti.engine.message to
      dev.tutti.host,
      dev.tutti.cli;
  exports dev.tutti.engine.mpi to
      dev.tutti.host,
      dev.tutti.cli;
  exports dev.tutti.engine.queue to
      dev.tutti.host;
  exports dev.tutti.engine.memory to
      dev.tutti.host,
      dev.tutti.cli;
}
