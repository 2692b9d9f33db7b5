/**
 * Judges algorithms without a host: records the plans of all ranks, checks them, runs them on real
 * data and compares the results with an independent reference.
 */
module dev.tutti.testkit {
  requires transitive dev.tutti.sdk;
  requires static org.jspecify;

  exports dev.tutti.testkit;
}
