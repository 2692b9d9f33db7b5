package dev.tutti.cli.options;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.WorkflowMode;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/** The words that shells complete for a value whose type does not list them. */
public abstract sealed class Labels implements Iterable<String> {

  private final List<String> labels;

  private Labels(Stream<String> labels) {
    this.labels = labels.toList();
  }

  @Override
  public Iterator<String> iterator() {
    return labels.iterator();
  }

  /** The labels of {@link OperationName}. */
  public static final class OfOperations extends Labels {
    OfOperations() {
      super(OperationName.labels().stream());
    }
  }

  /** The labels of {@link OperationName}. The value may also be a file. */
  public static final class OfTargets extends Labels {
    OfTargets() {
      this(List.of());
    }

    /** The same, and the names of algorithms. */
    public OfTargets(List<String> algorithms) {
      super(Stream.concat(OperationName.labels().stream(), algorithms.stream()).distinct());
    }
  }

  /** The names that nccl-tests gives to operations, and the labels of {@link OperationName}. */
  public static final class OfPerfOperations extends Labels {
    OfPerfOperations() {
      super(
          Stream.concat(
              Stream.of("all_reduce", "all_gather", "reduce_scatter", "sendrecv"),
              OperationName.labels().stream()));
    }
  }

  /** The labels of {@link Reduction}. */
  public static final class OfReductions extends Labels {
    OfReductions() {
      super(Reduction.all().stream().map(Reduction::label));
    }
  }

  /** The labels of {@link Callers} that an option can request. */
  public static final class OfCallers extends Labels {
    OfCallers() {
      super(Stream.of(Callers.asked()).map(Callers::label));
    }
  }

  /** The labels of {@link DataType}. */
  public static final class OfTypes extends Labels {
    OfTypes() {
      super(Stream.of(DataType.values()).map(DataType::label));
    }
  }

  /** The labels of {@link WorkflowMode}. */
  public static final class OfModes extends Labels {
    OfModes() {
      super(Stream.of(WorkflowMode.values()).map(WorkflowMode::label));
    }
  }

  /** The labels of {@link Protocol}. */
  public static final class OfProtocols extends Labels {
    OfProtocols() {
      super(Stream.of(Protocol.values()).map(Protocol::label));
    }
  }

  /** The labels of {@link Determinism}. */
  public static final class OfDeterminism extends Labels {
    OfDeterminism() {
      super(Stream.of(Determinism.values()).map(Determinism::label));
    }
  }
}
