package dev.tutti.opentelemetry;

import dev.tutti.host.status.OperationObserver;
import dev.tutti.host.status.RunFacts;
import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.TuttiException;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import org.jspecify.annotations.Nullable;

/**
 * Makes a span of each operation of a context. A span is a child of the span that is current on the
 * thread that starts the operation. Its name is that of the operation, for example {@code
 * "allreduce"}. Thread-safe.
 *
 * <pre>{@code
 * Context.builder().observer(OperationSpans.of(GlobalOpenTelemetry.get()))
 * }</pre>
 *
 * <p>An operation that one caller starts for all ranks is one span. An operation that ranks start
 * has one span per rank, with {@link #RANK}. The span lasts from the rank's call until its result
 * is there. If the sampler drops a span, the end of its operation is not observed.
 */
public final class OperationSpans implements OperationObserver {

  /** The instrumentation scope of the spans. */
  public static final String SCOPE = "dev.tutti";

  /** The number of the group in its context, from 1. */
  public static final AttributeKey<Long> GROUP = AttributeKey.longKey("tutti.group.id");

  /** The ranks of the group. */
  public static final AttributeKey<Long> GROUP_SIZE = AttributeKey.longKey("tutti.group.size");

  /** The rank that started the operation; not set if one caller started it for all ranks. */
  public static final AttributeKey<Long> RANK = AttributeKey.longKey("tutti.rank");

  /** The operation, for example {@code "allreduce"}; {@code "capture"} for several. */
  public static final AttributeKey<String> OPERATION =
      AttributeKey.stringKey("tutti.operation.name");

  /** The operation with its numbers, in words. */
  public static final AttributeKey<String> CALL = AttributeKey.stringKey("tutti.operation.call");

  /** The type of the elements, for example {@code "float32"}; not set for a capture. */
  public static final AttributeKey<String> DATA_TYPE = AttributeKey.stringKey("tutti.data_type");

  /** The size of the message of one rank in bytes; not set if the operation did not run. */
  public static final AttributeKey<Long> BYTES = AttributeKey.longKey("tutti.message.size");

  /** The qualified name of the algorithm; not set if the operation did not run. */
  public static final AttributeKey<String> ALGORITHM = AttributeKey.stringKey("tutti.algorithm");

  /** The id of the algorithm's plugin; not set for a capture or if the operation did not run. */
  public static final AttributeKey<String> PLUGIN = AttributeKey.stringKey("tutti.plugin.id");

  /** The version of the plugin; set together with {@link #PLUGIN}. */
  public static final AttributeKey<String> PLUGIN_VERSION =
      AttributeKey.stringKey("tutti.plugin.version");

  /**
   * The code of the error, for example {@code "TUTTI-301"}, or the class of an exception without a
   * code; not set for a success.
   */
  public static final AttributeKey<String> ERROR_TYPE = AttributeKey.stringKey("error.type");

  private final Tracer tracer;

  private OperationSpans(Tracer tracer) {
    this.tracer = tracer;
  }

  /** An observer that reports its spans to an OpenTelemetry instance. */
  public static OperationSpans of(OpenTelemetry telemetry) {
    Arguments.require(telemetry, "telemetry");
    return new OperationSpans(telemetry.getTracer(SCOPE));
  }

  @Override
  public @Nullable Observation begin(RunFacts operation, int rank) {
    SpanBuilder builder =
        tracer
            .spanBuilder(operation.operation())
            .setSpanKind(SpanKind.INTERNAL)
            .setAttribute(OPERATION, operation.operation())
            .setAttribute(GROUP, operation.group())
            .setAttribute(GROUP_SIZE, (long) operation.ranks());
    if (rank != ALL_RANKS) {
      builder.setAttribute(RANK, (long) rank);
    }
    Span span = builder.startSpan();
    if (!span.isRecording()) {
      span.end();
      return null;
    }
    return (known, failure) -> end(span, known, failure);
  }

  private static void end(Span span, RunFacts operation, @Nullable Throwable failure) {
    span.setAttribute(CALL, operation.call());
    set(span, DATA_TYPE, operation.dataType());
    set(span, ALGORITHM, operation.algorithm());
    set(span, PLUGIN, operation.plugin());
    set(span, PLUGIN_VERSION, operation.version());
    if (!operation.algorithm().isEmpty()) {
      span.setAttribute(BYTES, operation.bytes());
    }
    if (failure != null) {
      span.setAttribute(
          ERROR_TYPE,
          failure instanceof TuttiException coded
              ? coded.code().id()
              : failure.getClass().getName());
      span.setStatus(StatusCode.ERROR, String.valueOf(failure.getMessage()));
    }
    span.end();
  }

  private static void set(Span span, AttributeKey<String> key, String value) {
    if (!value.isEmpty()) {
      span.setAttribute(key, value);
    }
  }
}
