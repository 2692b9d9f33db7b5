package dev.tutti.testkit.calls;

import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Rule;

/**
 * A forbidden call that has been made.
 *
 * @param type the binary name of the called type
 * @param member the method or field, {@code "<init>"} for a constructor
 * @param kind why it is forbidden
 * @param caller the line that made the call
 */
record Call(String type, String member, CallKind kind, StackTraceElement caller) {

  Finding toFinding() {
    String callee = member.equals("<init>") ? "new " + type : type + "." + member;
    return new Finding(
        Rule.FORBIDDEN_CALL,
        "%s calls %s. Forbidden are %s: %s"
            .formatted(line(), callee, kind.label(), kind.because()));
  }

  private String line() {
    return "%s.%s(%s:%d)"
        .formatted(
            caller.getClassName(),
            caller.getMethodName(),
            caller.getFileName() == null ? "?" : caller.getFileName(),
            caller.getLineNumber());
  }
}
