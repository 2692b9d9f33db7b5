package dev.tutti.engine.queue;

import dev.tutti.engine.RankBinding;
import dev.tutti.sdk.TuttiException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the runner of queues sees of the ranks. Thread-safe. */
final class QueueSource implements QueueRunner.Source {

  private final StartedOperations started;
  private final OperationAgreement agreement;

  /**
   * What ranks have started.
   *
   * @param agreement has them agree on what they run
   */
  QueueSource(StartedOperations started, OperationAgreement agreement) {
    this.started = started;
    this.agreement = agreement;
  }

  @Override
  public boolean hasStarted(int queue, long number) {
    return started.haveStarted(queue, number);
  }

  @Override
  public @Nullable RankBinding brought(int queue, long number) {
    return started.brought(queue, number);
  }

  @Override
  public @Nullable RankBinding agree(long number) {
    List<QueuedOperation> parts = started.parts(number);
    RankBinding binding = agreement.agree(number, parts);
    parts.forEach(part -> part.agreed(binding));
    return binding;
  }

  @Override
  public void propose(long number) {
    agreement.propose(number, started.get(started.ownQueues()[0], number));
  }

  @Override
  public TuttiException failed(long number, Throwable thrown) {
    return agreement.failed(number, thrown);
  }

  @Override
  public void broken(TuttiException failure) {
    agreement.broken(failure);
  }

  @Override
  public void begin(int queue, long number) {
    for (int place : started.placesOf(queue)) {
      started.get(place, number).begins();
    }
  }

  @Override
  public void end(int queue, long number, @Nullable TuttiException failure) {
    for (int place : started.placesOf(queue)) {
      started.get(place, number).end(failure);
    }
  }
}
