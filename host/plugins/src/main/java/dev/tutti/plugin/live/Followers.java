package dev.tutti.plugin.live;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * The other processes that serve what this one decides. They change at the same time as it, or not
 * at all. Thread-safe; one change at a time.
 */
public interface Followers {

  /** There are none. */
  Followers NONE =
      new Followers() {
        @Override
        public Answer prepare(List<ServedJar> jars) {
          return new Ready(Changeover.ALONE);
        }

        @Override
        public boolean goBack(BooleanSupplier rollback) {
          return rollback.getAsBoolean();
        }
      };

  /** What the others say to a change. */
  sealed interface Answer permits Ready, Veto {}

  /**
   * All have loaded the jars that should serve.
   *
   * @param changeover publishes it; to be closed
   */
  record Ready(Changeover changeover) implements Answer {}

  /**
   * One of them cannot serve a jar, so none will.
   *
   * @param content the SHA-256 of the jar
   * @param code the kind of problem
   * @param report who has found what
   */
  record Veto(String content, ErrorCode code, String report) implements Answer {}

  /**
   * Makes all others load the jars that should serve, and waits for them. The serving plugins go on
   * meanwhile.
   *
   * @param jars all jars that should serve, including those that serve already
   * @throws TuttiException with {@link ErrorCode#DEADLINE_EXCEEDED} or {@link ErrorCode#PEER_LOST}
   *     if one of them does not answer
   */
  Answer prepare(List<ServedJar> jars);

  /**
   * Rolls back to an older version because one has failed. Where this thread must not wait for the
   * others, it is done later by another one.
   *
   * @param rollback makes the change; returns whether another version serves then
   * @return whether another version serves already
   */
  boolean goBack(BooleanSupplier rollback);
}
