package dev.tutti.host.job;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The facts that must be the same in all processes of a job, because later the processes exchange
 * only the numbers of tasks.
 *
 * @param fields the names, and the values as text
 */
public record JobIdentity(Map<String, String> fields) {

  /** Takes a copy that keeps the order. */
  public JobIdentity {
    fields = new LinkedHashMap<>(fields);
  }

  /**
   * Refuses another process that differs.
   *
   * @param name the name of this process
   * @param otherName the name of the other process
   */
  void requireSame(JobIdentity other, String name, String otherName) {
    for (Map.Entry<String, String> field : fields.entrySet()) {
      String expected = field.getValue();
      String actual = other.fields.getOrDefault(field.getKey(), "");
      if (!expected.equals(actual)) {
        String[] lines = firstDifference(expected, actual);
        throw new TuttiException(
            ErrorCode.JOB_REFUSED,
            "all processes of a job must have the same %s, but %s differs from %s: expected %s,"
                + " actual %s",
            field.getKey(),
            otherName,
            name,
            lines[0],
            lines[1]);
      }
    }
  }

  private static String[] firstDifference(String expected, String actual) {
    Iterator<String> a = expected.lines().iterator();
    Iterator<String> b = actual.lines().iterator();
    while (a.hasNext() || b.hasNext()) {
      String left = a.hasNext() ? a.next() : "none";
      String right = b.hasNext() ? b.next() : "none";
      if (!left.equals(right)) {
        return new String[] {left, right};
      }
    }
    return new String[] {expected, actual};
  }
}
