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
 * The order in which hash tables return objects without hash codes of their own.
 *
 * <p>With {@code -XX:hashCode=3} the JVM numbers objects as they are first asked for their hash
 * code. So one process can have the constants of an enum in their order in every hash table, and
 * another one the other way round; whatever the order is here, it is not that of one of the two.
 */
enum HashOrder {
  /** Constants of enums as they are declared. */
  FORWARD,
  /** The reverse order. */
  BACKWARD;

  /** The option that numbers objects as they come. */
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

  /** Gives the constants of the SPI's enums their hash codes. */
  void arrange() {
    ENUMS.forEach(this::arrange);
  }

  /** Gives the constants of an enum their hash codes. */
  void arrange(Class<? extends Enum<?>> type) {
    // From the start of every table that is not larger than this.
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
