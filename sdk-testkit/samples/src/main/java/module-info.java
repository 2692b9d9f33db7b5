/** Algorithms that tests share. */
module dev.tutti.samples {
  requires transitive dev.tutti.sdk;
  requires static org.jspecify;

  exports dev.tutti.samples;
}
