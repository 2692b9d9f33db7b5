package dev.tutti.engine.queue;

import dev.tutti.engine.RankBinding;
import dev.tutti.sdk.TuttiException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The ranks' operations, for the runner of queues. Thread-safe. */
final class QueueSource implements OperationSource {

  private final StartedOperations started;
  private final OperationAgreement agreement;
  private final boolean areApart;

  /**
   * Makes a source.
   *
   * @param started the operations that ranks have started
   * @param agreement makes the ranks agree on what they run
   * @param areApart whether queues run in other processes that share no memory
   */
  QueueSource(StartedOperations started, OperationAgreement agreement, boolean areApart) {
    this.started = started;
    this.agreement = agreement;
    this.areApart = areApart;
  }

  @Override
  public boolean hasStarted(int queue, long number) {
    return started.haveStarted(queue, number);
  }

  @Override
  public @Nullable RankBinding brought(int queue, long number) {
    // Without shared memory, the binding of a rank depends on the other ranks of its process.
    return areApart ? null : started.brought(queue, number);
  }

  @Override
  public @Nullable RankBinding known(long number) {
    return areApart ? agreement.known(number) : null;
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
    agreement.propose(number, started.ownParts(number));
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
