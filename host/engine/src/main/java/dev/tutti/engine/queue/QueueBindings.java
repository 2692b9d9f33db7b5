package dev.tutti.engine.queue;

import dev.tutti.engine.RankBinding;
import dev.tutti.engine.ShortPlan;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The current or last binding of each queue of this process, and the inputs that queues show each
 * other if it is short; see {@link RankBinding#isShort}. Only the thread that holds a queue's claim
 * changes what belongs to the queue.
 */
final class QueueBindings implements ShortPlan.Inputs {

  private static final long NO_BINDING = 0;

  private final QueueStates states;
  private final QueueProgress progress;
  private final @Nullable RankBinding[] bindings;

  /** The rooms of each queue: for operations with an even number, then for odd ones. */
  private final MemorySegment[] rooms;

  QueueBindings(QueueStates states, QueueProgress progress, QueueLines lines) {
    this.states = states;
    this.progress = progress;
    this.bindings = new RankBinding[lines.queues()];
    this.rooms = lines.allRooms();
  }

  /** The current or last binding of a queue; null if there is none. */
  @Nullable RankBinding of(int queue) {
    return bindings[queue];
  }

  /** Sets the binding of a queue, only if it changes, because other threads read its line. */
  @SuppressWarnings("ReferenceEquality") // the same binding is the same object
  void keep(int queue, @Nullable RankBinding binding) {
    if (bindings[queue] != binding) {
      bindings[queue] = binding;
    }
  }

  /**
   * Makes a queue enter an operation with a binding. It enters without one if the binding is short
   * and another rank may still read an earlier input, or the input cannot be read: the ranks then
   * have to agree, and find the same error.
   *
   * @return whether it has entered with a binding
   */
  boolean enter(int queue, long number, @Nullable RankBinding brought) {
    RankBinding binding = brought == null || !show(queue, number, brought) ? null : brought;
    keep(queue, binding);
    long brings = binding == null ? NO_BINDING : binding.number();
    if (states.brings(queue) != brings) {
      states.brings(queue, brings);
      progress.bring(queue, number - 1, brings);
    }
    progress.enter(queue, number);
    return binding != null;
  }

  private boolean show(int queue, long number, RankBinding binding) {
    if (!binding.isShort()) {
      return true;
    }
    if (states.met(queue) != number - 1) {
      return false;
    }
    try {
      binding.show(queue, number, this);
      return true;
    } catch (RuntimeException e) {
      return false;
    }
  }

  @Override
  public void show(int list, long operation, int word, long value) {
    progress.show(list, operation, word, value);
  }

  @Override
  public long shown(int list, long operation, int word) {
    return progress.shown(list, operation, word);
  }

  @Override
  public MemorySegment room(int list, long operation) {
    return rooms[2 * list + ((int) operation & 1)];
  }
}
