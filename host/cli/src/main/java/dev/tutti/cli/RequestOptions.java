package dev.tutti.cli;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** One request: an operation, its group, its size and how it is run. */
final class RequestOptions {

  @Parameters(paramLabel = "<operation>", description = "allreduce, broadcast, send, receive, …")
  private OperationName operation = OperationName.of("allreduce");

  @Mixin private final RequestShape shape = new RequestShape();

  /** All of it, checked. */
  OperationSpec spec() {
    return shape.spec(operation);
  }
}
