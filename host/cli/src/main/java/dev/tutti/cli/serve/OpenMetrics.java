package dev.tutti.cli.serve;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Metrics in the text format of OpenMetrics 1.0, which Prometheus and others collect. Declare each
 * metric once, and then add its values.
 */
final class OpenMetrics {

  static final String CONTENT_TYPE = "application/openmetrics-text; version=1.0.0; charset=utf-8";

  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]*");

  private final StringBuilder text = new StringBuilder();
  private String name = "";
  private String suffix = "";

  /** Begins a metric whose value goes up and down. */
  OpenMetrics gauge(String newName, String help) {
    return metric(newName, "gauge", "", help);
  }

  /**
   * Begins a metric whose value only grows.
   *
   * @param newName without the ending {@code _total} of its values
   */
  OpenMetrics counter(String newName, String help) {
    return metric(newName, "counter", "_total", help);
  }

  /** Begins a metric that has only labels. */
  OpenMetrics info(String newName, String help) {
    return metric(newName, "info", "_info", help);
  }

  private OpenMetrics metric(String newName, String type, String newSuffix, String help) {
    if (!NAME.matcher(newName).matches()) {
      throw new IllegalArgumentException("no name of a metric: " + newName);
    }
    name = newName;
    suffix = newSuffix;
    text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    unit()
        .ifPresent(
            unit -> text.append("# UNIT ").append(name).append(' ').append(unit).append('\n'));
    text.append("# HELP ").append(name).append(' ').append(escaped(help)).append('\n');
    return this;
  }

  private Optional<String> unit() {
    return Stream.of("bytes", "seconds").filter(each -> name.endsWith("_" + each)).findAny();
  }

  /**
   * Adds a value to the current metric.
   *
   * @param labels names and values, alternating
   */
  OpenMetrics value(long value, String... labels) {
    return value(Long.toString(value), labels);
  }

  /** The same for a floating-point value. */
  OpenMetrics value(double value, String... labels) {
    return value(Double.toString(value), labels);
  }

  private OpenMetrics value(String value, String... labels) {
    text.append(name).append(suffix);
    List<String> pairs = new ArrayList<>();
    for (int i = 0; i < labels.length; i += 2) {
      pairs.add(labels[i] + "=\"" + escaped(labels[i + 1]) + "\"");
    }
    if (!pairs.isEmpty()) {
      text.append('{').append(String.join(",", pairs)).append('}');
    }
    text.append(' ').append(value).append('\n');
    return this;
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  }

  /** The complete text of all metrics. */
  @Override
  public String toString() {
    return text + "# EOF\n";
  }
}
