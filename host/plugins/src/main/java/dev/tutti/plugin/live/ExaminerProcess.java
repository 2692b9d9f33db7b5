package dev.tutti.plugin.live;

import dev.tutti.plugin.Algorithm;
import dev.tutti.plugin.PluginInstance;
import dev.tutti.plugin.process.JarPlans;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.verifier.process.ParentChannel;
import dev.tutti.verifier.purity.OtherProcesses;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The {@code main} of a process that examines jars, one after another, so that a jar cannot harm
 * the host. Whatever a jar does here, the host gets a verdict or kills the process.
 */
public final class ExaminerProcess {

  static final String ADMITTED = "admitted";
  static final String REFUSED = "refused";

  private static final int MOST_TEXT = 100_000;

  private ExaminerProcess() {}

  /**
   * A request to examine a jar.
   *
   * @param content the jar
   * @param shown the file that messages name
   * @param planningLimit the longest time for an executor to answer
   * @param limit a safety limit above the processor time that the host counts
   * @param threads the number of cases that are checked at once
   * @param served the jars of the plugins that serve, which may hold the other side of a transfer
   */
  record Request(
      Path content,
      Path shown,
      Duration planningLimit,
      Duration limit,
      int threads,
      List<Path> served) {

    List<String> message() {
      List<String> message =
          new ArrayList<>(
              List.of(
                  content.toAbsolutePath().toString(),
                  shown.toString(),
                  Long.toString(planningLimit.toNanos()),
                  Long.toString(limit.toNanos()),
                  Integer.toString(threads)));
      served.forEach(jar -> message.add(jar.toAbsolutePath().toString()));
      return message;
    }

    static Request of(List<String> message) {
      return new Request(
          Path.of(message.get(0)),
          Path.of(message.get(1)),
          Duration.ofNanos(Long.parseLong(message.get(2))),
          Duration.ofNanos(Long.parseLong(message.get(3))),
          Integer.parseInt(message.get(4)),
          message.subList(5, message.size()).stream().map(Path::of).toList());
    }
  }

  /** Serves the host that has started this process, until the host is gone. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    ParentChannel host = ParentChannel.open();
    host.ready("");
    OtherProcesses others = null;
    while (true) {
      Request request = Request.of(host.next());
      others = others == null ? JarPlans.processes(request.planningLimit()) : others;
      host.send(verdict(request, others));
    }
  }

  // Every outcome of a plugin, including an exception, is its verdict.
  @SuppressWarnings("CatchThrowable")
  private static List<String> verdict(Request request, OtherProcesses others) {
    try {
      Admission.Checked checked = check(request, others);
      return List.of(
          ADMITTED,
          Integer.toString(checked.plans()),
          Integer.toString(checked.taken()),
          Integer.toString(checked.cases()),
          others.note());
    } catch (TuttiException e) {
      return refused(e.code(), String.valueOf(e.getMessage()));
    } catch (Throwable e) {
      return refused(ErrorCode.PLUGIN_REJECTED, "it cannot be examined: " + e.getClass().getName());
    }
  }

  private static List<String> refused(ErrorCode code, String text) {
    String cut = text.length() <= MOST_TEXT ? text : text.substring(0, MOST_TEXT) + " ...";
    return List.of(REFUSED, code.name(), cut);
  }

  private static Admission.Checked check(Request request, OtherProcesses others) {
    Admission admission = new Admission(request.planningLimit(), request.limit());
    List<PluginInstance> served = new ArrayList<>();
    try (PluginInstance plugin = admission.load(request.content(), request.shown())) {
      List<Admission.Known> known = new ArrayList<>();
      plugin
          .plugin()
          .algorithms()
          .forEach(each -> known.add(new Admission.Known(each, request.content())));
      if (Admission.needsOthers(plugin.plugin())) {
        for (Path jar : request.served()) {
          PluginInstance other = PluginInstance.load(jar, jar, request.planningLimit());
          served.add(other);
          for (Algorithm each : other.plugin().algorithms()) {
            known.add(new Admission.Known(each, jar));
          }
        }
      }
      return admission.check(plugin.plugin(), known, request.threads(), others);
    } finally {
      served.forEach(PluginInstance::close);
    }
  }
}
