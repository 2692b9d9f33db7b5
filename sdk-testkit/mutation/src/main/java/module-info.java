/** Checks the verifier with plans and algorithms that have deliberate mistakes. */
module dev.tutti.mutation {
  requires transitive dev.tutti.verifier;
  requires static org.jspecify;

  exports dev.tutti.mutation;
}
