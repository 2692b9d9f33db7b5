package dev.tutti.testkit;

import dev.tutti.sdk.ErrorCode;

/** The ids of the rules, as listed in the package description. */
final class Rules {

  static final String REFUSED = "CAP-1";
  static final String PLANNING_FAILED = "CAP-2";
  static final String NOT_PURE = "PUR-1";
  static final String SUPPORTS_DIFFERS = "PUR-2";
  static final String UNUSED = "RES-1";
  static final String NOT_REQUESTED = "RES-2";
  static final String LINK_MISMATCH = "LNK-1";
  static final String PRIVATE_MEMORY = "LNK-2";
  static final String DEADLOCK = "SYN-1";
  static final String LOST_NOTIFY = "SYN-2";
  static final String LEFT_OVER_NOTIFY = "SYN-3";
  static final String STOLEN_NOTIFY = "SYN-4";
  static final String NOT_JOINED = "SYN-5";
  static final String RACE = "MEM-1";
  static final String OUTSIDE_CALL = "MEM-2";
  static final String BOUNDS = "MEM-3";
  static final String RACE_BETWEEN_OPERATIONS = "SEQ-1";
  static final String WRONG_VALUE = "VAL-1";
  static final String INPUT_CHANGED = "VAL-2";
  static final String UNTOUCHABLE_CHANGED = "VAL-3";

  private Rules() {}

  /** The rule that an error while planning breaks. */
  static String of(ErrorCode code) {
    return switch (code) {
      case LINK_MISMATCH -> LINK_MISMATCH;
      case RESOURCE_MISMATCH -> NOT_REQUESTED;
      case OUT_OF_BOUNDS, BUFFER_OVERLAP -> BOUNDS;
      default -> PLANNING_FAILED;
    };
  }
}
