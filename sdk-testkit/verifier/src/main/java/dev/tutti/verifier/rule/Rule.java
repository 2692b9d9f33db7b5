package dev.tutti.verifier.rule;

import static dev.tutti.verifier.rule.Severity.ERROR;
import static dev.tutti.verifier.rule.Severity.NOTE;
import static dev.tutti.verifier.rule.Severity.WARNING;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Names;
import dev.tutti.sdk.TuttiException;

/**
 * The rules for algorithms. Every rule has a page, {@code docs/rules/<id>.md}. New rules may be
 * added; ids never change their meaning.
 */
public enum Rule {
  /** The executor refuses the request that was to be checked. */
  REFUSED("CAP-1", ERROR, "request refused"),
  /** The executor accepts the request but fails to plan it. */
  PLANNING_FAILED("CAP-2", ERROR, "planning failed"),
  /** Planning does not end within the time limit. */
  PLANNING_TOO_LONG("CAP-3", ERROR, "planning does not end"),
  /** Planning allocates more memory, or emits more actions, than is allowed. */
  PLANNING_TOO_LARGE("CAP-4", ERROR, "planning is too large"),

  /** The executor gives different answers to equal arguments. */
  NOT_PURE("PUR-1", ERROR, "not a pure function"),
  /** {@code supports} gives different answers on different ranks. */
  SUPPORTS_DIFFERS("PUR-2", ERROR, "supports differs between ranks"),
  /** The executor calls a clock, a random source, a thread, or I/O. */
  FORBIDDEN_CALL("PUR-3", ERROR, "forbidden call"),

  /** The host cannot make an executor from a provider. */
  NOT_LOADABLE("API-1", ERROR, "provider cannot be loaded"),
  /** A switch over an open type of the SPI has no default. */
  NO_DEFAULT("API-2", WARNING, "switch without default"),

  /** The executor requests a resource and does not use it. */
  UNUSED("RES-1", ERROR, "resource not used"),
  /** The executor uses a resource and does not request it. */
  NOT_REQUESTED("RES-2", ERROR, "resource not requested"),

  /** Two ranks disagree about a link. */
  LINK_MISMATCH("LNK-1", ERROR, "link mismatch"),
  /** An action accesses a peer's input or output in OP_BASE mode. */
  PRIVATE_MEMORY("LNK-2", ERROR, "private memory of a peer"),

  /** Streams wait for one another, or for a signal that no stream posts. */
  DEADLOCK("SYN-1", ERROR, "deadlock"),
  /** A post can come before the previous signal has been awaited, and is then lost. */
  LOST_NOTIFY("SYN-2", ERROR, "notify lost"),
  /** A notify is still set when all ranks have finished. */
  LEFT_OVER_NOTIFY("SYN-3", ERROR, "notify left over"),
  /** An await can take the signal that is meant for another await. */
  STOLEN_NOTIFY("SYN-4", ERROR, "notify stolen"),
  /** The main stream does not start a slave stream, or does not await its end. */
  NOT_JOINED("SYN-5", ERROR, "slave stream not joined"),

  /** Two accesses overlap, one of them writes, and nothing orders them. */
  RACE("MEM-1", ERROR, "data race"),
  /**
   * An action accesses a rank's buffers before the rank has entered the operation or after it has
   * left it.
   */
  OUTSIDE_CALL("MEM-2", ERROR, "access outside the call"),
  /** An action is out of bounds, or its operands overlap. */
  BOUNDS("MEM-3", ERROR, "out of bounds"),

  /**
   * An output lacks a contribution, or has one twice, from the wrong rank, or in the wrong place.
   */
  WRONG_CONTENTS("SEM-1", ERROR, "wrong contents"),
  /**
   * An action reduces a contribution with a different reduction, or as a different type, than the
   * request says.
   */
  WRONG_REDUCTION("SEM-2", ERROR, "wrong reduction"),
  /** An action reads memory that nobody has written. */
  UNDEFINED_READ("SEM-3", ERROR, "undefined memory read"),
  /** An action changes an input. */
  INPUT_WRITTEN("SEM-4", ERROR, "input written"),
  /** An action writes an output where the operation gives no result. */
  OUTPUT_WRITTEN("SEM-5", ERROR, "output written out of place"),
  /** A rank can leave a barrier before every rank has entered it. */
  BARRIER_INCOMPLETE("SEM-6", ERROR, "barrier left too early"),

  /** Ranks reduce one element in different orders, though the executor promises equal bits. */
  RANKS_DIFFER("DET-1", ERROR, "association differs between ranks"),
  /**
   * The order in which an element is reduced depends on the count, though the executor promises
   * that it does not.
   */
  SIZES_DIFFER("DET-2", ERROR, "association depends on the count"),
  /**
   * The order of operands depends on timing, though the executor promises equal bits in every run.
   */
  RUNS_DIFFER("DET-3", ERROR, "association depends on timing"),

  /**
   * Two consecutive operations access the same bytes, one of them writes, and nothing orders the
   * accesses.
   */
  SEQUENCE_RACE("SEQ-1", ERROR, "data race between operations"),
  /**
   * Between two consecutive operations, a signal is lost, or an await of the wrong operation takes
   * it.
   */
  SEQUENCE_NOTIFY("SEQ-2", ERROR, "notify clash between operations"),

  /** A run gives a wrong value. */
  WRONG_VALUE("VAL-1", ERROR, "wrong value"),
  /** A run changes an input. */
  INPUT_CHANGED("VAL-2", ERROR, "input changed"),
  /** A run changes an output that must stay as it is. */
  UNTOUCHABLE_CHANGED("VAL-3", ERROR, "untouchable output changed"),
  /** Two runs on equal inputs give different bits. */
  NOT_REPRODUCIBLE("VAL-4", ERROR, "bits differ between runs"),

  /** After a fault, some rank neither finishes nor gets a diagnosis within the deadline. */
  NO_DIAGNOSIS("FLT-1", ERROR, "no diagnosis"),
  /** After a fault, some rank reports success with a wrong result. */
  SILENT_CORRUPTION("FLT-2", ERROR, "wrong result reported as success"),
  /** After a rank has reported a failure to its caller, its buffers still change. */
  TOUCHED_AFTER_FAILURE("FLT-3", ERROR, "buffers touched after the failure"),

  /** The plan has more steps or bytes than the lower bound of the operation. */
  ABOVE_LOWER_BOUND("OPT-1", NOTE, "above the lower bound"),
  /** The declared cost is not the cost of the plan. */
  COST_DIFFERS("OPT-2", WARNING, "declared cost differs");

  private final String id;
  private final Severity severity;
  private final String title;

  Rule(String id, Severity severity, String title) {
    this.id = id;
    this.severity = severity;
    this.title = title;
  }

  /** The stable id, for example {@code "SYN-2"}. */
  public String id() {
    return id;
  }

  /** The letters of the id, for example {@code "SYN"}. */
  public String family() {
    return id.substring(0, id.indexOf('-'));
  }

  /** How much a finding of this rule matters. */
  public Severity severity() {
    return severity;
  }

  /** What is wrong, in a few words. */
  public String title() {
    return title;
  }

  /** The rule's page, relative to the project's root. */
  public String page() {
    return "docs/rules/" + id + ".md";
  }

  /**
   * The rule with an id.
   *
   * @throws TuttiException with {@link ErrorCode#UNKNOWN_NAME}, suggesting the nearest id
   */
  public static Rule of(String id) {
    for (Rule rule : values()) {
      if (rule.id.equalsIgnoreCase(id)) {
        return rule;
      }
    }
    throw Names.unknown("rule", id, values(), Rule::id);
  }

  /** The rule that a planning error with this code breaks. */
  public static Rule of(ErrorCode code) {
    return switch (code) {
      case LINK_MISMATCH -> LINK_MISMATCH;
      case RESOURCE_MISMATCH -> NOT_REQUESTED;
      case OUT_OF_BOUNDS, BUFFER_OVERLAP -> BOUNDS;
      case PLAN_TOO_LARGE -> PLANNING_TOO_LARGE;
      default -> PLANNING_FAILED;
    };
  }

  @Override
  public String toString() {
    return id;
  }
}
