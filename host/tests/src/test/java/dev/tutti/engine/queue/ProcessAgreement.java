package dev.tutti.engine.queue;

import dev.tutti.engine.RankBinding;
import dev.tutti.sdk.TuttiException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The agreement of a rank in its own process, of which no operation may fail unexpectedly. */
abstract class ProcessAgreement implements OperationAgreement {

  @Override
  public final @Nullable RankBinding agree(long number, List<QueuedOperation> parts) {
    throw new AssertionError("each rank is in its own process");
  }

  @Override
  public final TuttiException failed(long number, Throwable thrown) {
    throw new AssertionError(thrown);
  }

  @Override
  public final void broken(TuttiException failure) {
    throw failure;
  }
}
