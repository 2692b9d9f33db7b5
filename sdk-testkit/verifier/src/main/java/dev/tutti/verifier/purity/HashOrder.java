package dev.tutti.verifier.purity;

import dev.tutti.plan.ActionKind;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import java.util.List;

/**
 * The order in which hash tables return objects that use identity hash codes.
 *
 * <p>With {@code -XX:hashCode=3}, the JVM numbers objects in the order in which their hash codes
 * are first requested. So in one process every hash table can hold the constants of an enum in
 * their declared order, and in another process in the reverse order. The order in this process
 * differs from at least one of the two.
 */
enum HashOrder {
  /** The declared order of an enum's constants. */
  FORWARD,
  /** The reverse order. */
  BACKWARD;

  /** The options that make the JVM number objects in this way. */
  static final List<String> JVM_OPTIONS =
      List.of(
          "-XX:+UnlockExperimentalVMOptions", "-XX:+IgnoreUnrecognizedVMOptions", "-XX:hashCode=3");

  private static final int TABLE = 64;
  private static final int PATIENCE = 10_000;

  private static final List<Class<? extends Enum<?>>> ENUMS =
      List.of(
          DataType.class,
          ReduceOp.class,
          Operation.class,
          Protocol.class,
          WorkflowMode.class,
          Determinism.class,
          TransportMemType.class,
          CommPlane.class,
          ActionKind.class);

  /** Assigns hash codes to the constants of the SPI's enums. */
  void arrange() {
    ENUMS.forEach(this::arrange);
  }

  /** Assigns hash codes to the constants of an enum. */
  void arrange(Class<? extends Enum<?>> type) {
    // Starts at the first slot of every table that is not larger than TABLE.
    for (int tries = 0; tries < PATIENCE; tries++) {
      if (System.identityHashCode(new Object()) % TABLE == TABLE - 1) {
        break;
      }
    }
    Enum<?>[] constants = type.getEnumConstants();
    for (int i = 0; i < constants.length; i++) {
      System.identityHashCode(constants[this == FORWARD ? i : constants.length - 1 - i]);
    }
  }
}
