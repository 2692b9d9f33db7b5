package dev.tutti.plan;

import dev.tutti.plan.json.JsonWriter;
import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;

/**
 * Writes plans as JSON and reads them back without loss: what is read equals what was written, with
 * the same name and source lines.
 *
 * <p>A file is one object. Enum values are written by name; numbers are whole; sizes and offsets
 * are in bytes. The field {@code format} comes first and {@code actions} last in its object:
 *
 * <pre>{@code
 * {
 *   "format": "tutti-plan/1",
 *   "name": "allreduce ring",
 *   "request": "allreduce --ranks 2 …",          may be left out; what the plan is for, in words
 *                                                that only the program that wrote them understands
 *   "inPlace": false,
 *   "ranks": [
 *     {
 *       "rank": 0,                               its place in the list
 *       "streams": 1,                            1 to 4096, the main stream included
 *       "notifies": 0,                           between this rank's own streams
 *       "memory": {"param-input": 64, …},        bytes; kinds left out have none
 *       "links": [                               may be left out; numbered from 0
 *         {"plane": "level0", "subComm": 0, "peer": 1, "protocol": "direct", "ack": true,
 *          "notifies": 3, "input": "param-input", "output": "param-output"}
 *       ],
 *       "plans": [],                             may be left out; the plans that NESTED actions run
 *       "lines": ["Ring.orchestrate(Ring.java:31)"],   may be left out; then actions have no "line"
 *       "actions": [
 *         {"kind": "copy", "stream": 0, "dst": [0, "param-output", 0],
 *          "src": [1, "param-input", 32], "bytes": 32, "line": 0},
 *         {"kind": "reduce", "stream": 0, "dst": […], "src": […], "bytes": 32,
 *          "type": "float32", "op": "sum", "line": 0},
 *         {"kind": "reduce-from", "stream": 0, "dst": […], "srcs": [[…], […]], "bytes": 32,
 *          "type": "float32", "op": "sum", "line": 0},
 *         {"kind": "post", "stream": 0, "link": 0, "notify": 1, "line": 0},
 *         {"kind": "await", "stream": 0, "notify": 0, "line": 0},     no link: between own streams
 *         {"kind": "nested", "stream": 0, "plan": 0, "line": 0}
 *       ]
 *     }
 *   ]
 * }
 * }</pre>
 *
 * Reading is bounded: a string has at most 16384 characters, a list at most 2^24 entries, and a
 * text at most 2^32 characters.
 *
 * <p>A memory operand is {@code [rank, kind, offset]}. An entry of {@code plans} looks like one of
 * {@code ranks} without {@code rank} and {@code plans}, and runs only plans that come before it.
 */
public final class PlanJson {

  /** The value of the field {@code format}. */
  public static final String FORMAT = "tutti-plan/1";

  private PlanJson() {}

  /**
   * What a file holds.
   *
   * @param plan the plan
   * @param request what the plan is for, in the words of the program that wrote it; may be empty
   */
  public record Content(GroupPlan plan, String request) {

    /** Refuses null. */
    public Content {
      Arguments.require(plan, "plan");
      Arguments.require(request, "request");
    }
  }

  /** A plan as text. */
  public static String toJson(GroupPlan plan) {
    Arguments.require(plan, "plan");
    StringBuilder text = new StringBuilder();
    try {
      write(new Content(plan, ""), text);
    } catch (IOException e) {
      throw new AssertionError("a StringBuilder takes everything", e);
    }
    return text.toString();
  }

  /**
   * Writes a plan piece by piece; the target is not flushed or closed.
   *
   * @throws IOException if the target throws it
   */
  public static void write(GroupPlan plan, Appendable target) throws IOException {
    Arguments.require(plan, "plan");
    Arguments.require(target, "target");
    write(new Content(plan, ""), target);
  }

  /**
   * Writes a plan and what it is for, piece by piece; the target is not flushed or closed.
   *
   * @throws IOException if the target throws it
   */
  public static void write(Content file, Appendable target) throws IOException {
    Arguments.require(file, "file");
    Arguments.require(target, "target");
    try {
      new PlanJsonWriter(target).write(file);
    } catch (JsonWriter.TargetException e) {
      throw e.getCause();
    }
    target.append('\n');
  }

  /**
   * Reads a plan.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_PLAN} if the text is not a valid plan; the
   *     message says where and why
   */
  public static GroupPlan fromJson(String text) {
    Arguments.require(text, "text");
    try {
      return fromJson(new StringReader(text));
    } catch (IOException e) {
      throw new AssertionError("a StringReader gives everything", e);
    }
  }

  /**
   * Reads a plan to the end of the source, which is not closed.
   *
   * @throws TuttiException as {@link #fromJson(String)}
   * @throws IOException if the source throws it
   */
  public static GroupPlan fromJson(Reader source) throws IOException {
    return read(source).plan();
  }

  /**
   * Reads a plan and what it is for, to the end of the source, which is not closed.
   *
   * @throws TuttiException as {@link #fromJson(String)}
   * @throws IOException if the source throws it
   */
  public static Content read(Reader source) throws IOException {
    Arguments.require(source, "source");
    return new PlanJsonReader(source).read();
  }
}
