package dev.tutti.plugin.live;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * The other processes that serve what this process decides. They change together with it, or not at
 * all. Thread-safe; one change at a time.
 */
public interface Followers {

  /** No other processes. */
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

  /** The answer of the other processes to a change. */
  sealed interface Answer permits Ready, Veto {}

  /**
   * All processes have loaded the jars that should serve.
   *
   * @param changeover publishes the change; the caller must close it
   */
  record Ready(Changeover changeover) implements Answer {}

  /**
   * A process cannot serve a jar, so none will.
   *
   * @param content the SHA-256 of the jar
   * @param code the kind of problem
   * @param report the process and its problem
   */
  record Veto(String content, ErrorCode code, String report) implements Answer {}

  /**
   * Makes all other processes load the jars that should serve, and waits for them. The current
   * plugins keep serving meanwhile.
   *
   * @param jars all jars that should serve, including those that serve already
   * @throws TuttiException with {@link ErrorCode#DEADLINE_EXCEEDED} or {@link ErrorCode#PEER_LOST}
   *     if one of them does not answer
   */
  Answer prepare(List<ServedJar> jars);

  /**
   * Rolls back to an older version because the current one has failed. If this thread must not wait
   * for other processes, another thread does this later.
   *
   * @param rollback makes the change; returns whether another version serves then
   * @return whether another version already serves
   */
  boolean goBack(BooleanSupplier rollback);
}
