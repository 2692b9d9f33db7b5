package dev.tutti.host.job;

import dev.tutti.host.status.GroupStatus;
import dev.tutti.host.status.ProcessReport;
import dev.tutti.host.status.ProcessReport.ServedPlugin;
import dev.tutti.host.status.RankStatus;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Writes the report of a process as the body of a message, and reads it. */
final class ReportBody {

  private ReportBody() {}

  static byte[] of(ProcessReport report) {
    BodyWriter body =
        new BodyWriter()
            .number(report.start().toEpochMilli())
            .number(report.heapBytes())
            .number(report.threads());
    writeAll(
        body,
        report.plugins(),
        each -> body.text(each.id()).text(each.version()).number(each.algorithms()));
    writeAll(body, report.groups(), each -> write(body, each));
    return body.bytes();
  }

  private static void write(BodyWriter body, GroupStatus group) {
    body.number(group.number())
        .text(group.title())
        .number(group.rankSize())
        .text(group.state().name())
        .text(group.doing());
    writeAll(body, group.ranks(), each -> write(body, each));
  }

  private static void write(BodyWriter body, RankStatus rank) {
    body.number(rank.rank()).text(rank.name()).text(rank.state().name()).text(rank.doing());
    writeAll(body, rank.waitsFor(), each -> body.number(each));
    body.text(rank.at());
  }

  private static <T> void writeAll(BodyWriter body, List<T> all, Consumer<T> step) {
    body.number(all.size());
    all.forEach(step);
  }

  /**
   * Reads what {@link #of} has written.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} if it is something else
   */
  static ProcessReport read(BodyReader body) {
    return new ProcessReport(
        Instant.ofEpochMilli(body.number()),
        body.number(),
        body.count(),
        readAll(body, () -> new ServedPlugin(body.text(), body.text(), body.count())),
        readAll(body, () -> readGroup(body)));
  }

  private static GroupStatus readGroup(BodyReader body) {
    return new GroupStatus(
        body.number(),
        body.text(),
        body.count(),
        constant(GroupStatus.State.class, body.text()),
        body.text(),
        readAll(body, () -> readRank(body)));
  }

  private static RankStatus readRank(BodyReader body) {
    return new RankStatus(
        body.count(),
        body.text(),
        constant(RankStatus.State.class, body.text()),
        body.text(),
        readAll(body, body::count),
        body.text());
  }

  private static <T> List<T> readAll(BodyReader body, Supplier<T> step) {
    List<T> all = new ArrayList<>();
    for (int left = body.count(); left > 0; left--) {
      all.add(step.get());
    }
    return all;
  }

  private static <E extends Enum<E>> E constant(Class<E> type, String name) {
    try {
      return Enum.valueOf(type, name);
    } catch (IllegalArgumentException e) {
      throw new TuttiException(
          ErrorCode.INVALID_STATE, e, "a report of another process has the state '%s'", name);
    }
  }
}
