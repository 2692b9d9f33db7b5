package dev.tutti.testkit.arch;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Set;

/** Reports switches over open types of the SPI that throw on unknown constants. */
final class OpenSwitches extends ArchCondition<JavaClass> {

  /** The enums and sealed types that sdk-api documents as open; a test compares the two. */
  static final Set<String> OPEN =
      Set.of(
          "dev.tutti.sdk.DataType",
          "dev.tutti.sdk.ErrorCode",
          "dev.tutti.sdk.Operation",
          "dev.tutti.sdk.ReduceOp",
          "dev.tutti.sdk.param.OpParam",
          "dev.tutti.sdk.resource.TransportMemType",
          "dev.tutti.sdk.topology.CommPlane");

  OpenSwitches() {
    super("have a default in every switch over an open type of sdk-api");
  }

  @Override
  public void check(JavaClass type, ConditionEvents events) {
    ClassFiles.read(type).stream()
        .flatMap(file -> SwitchScan.of(file).stream())
        .filter(found -> OPEN.contains(found.selector()))
        .forEach(
            found ->
                events.add(
                    SimpleConditionEvent.violated(
                        type,
                        "Method <%s.%s> switches over %s without a default in (%s.java:%d)"
                            .formatted(
                                type.getName(),
                                found.method(),
                                found.selector(),
                                outermost(type).getSimpleName(),
                                found.line()))));
  }

  private static JavaClass outermost(JavaClass type) {
    return type.getEnclosingClass().map(OpenSwitches::outermost).orElse(type);
  }
}
