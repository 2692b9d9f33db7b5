/** Checks the verifier with algorithms that were made wrong. */
module dev.tutti.mutation {
  requires transitive dev.tutti.verifier;
  requires static org.jspecify;

  exports dev.tutti.mutation;
}
