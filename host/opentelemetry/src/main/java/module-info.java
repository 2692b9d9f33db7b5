/** Spans of Tutti's operations for programs that use OpenTelemetry. */
@SuppressWarnings("requires-transitive-automatic") // OpenTelemetry's jars have no module-info.
module dev.tutti.opentelemetry {
  requires transitive dev.tutti.host;
  requires transitive io.opentelemetry.api;
  requires io.opentelemetry.common;
  requires io.opentelemetry.context;
  requires static org.jspecify;

  exports dev.tutti.opentelemetry;
}
