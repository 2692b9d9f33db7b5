package dev.tutti.host.swap;

import dev.tutti.host.job.BodyReader;
import dev.tutti.host.job.BodyWriter;
import dev.tutti.plugin.live.ServedJar;
import dev.tutti.sdk.TuttiException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A message between rank 0 and the other processes about a change of plugins. */
sealed interface SwapMessage {

  /** From rank 0: get ready to serve these jars. */
  record Prepare(List<ServedJar> jars) implements SwapMessage {}

  /** To rank 0: send the part of a jar that starts at this byte. */
  record Wanted(String content, long offset) implements SwapMessage {}

  /** From rank 0: the part that was wanted. */
  record Part(byte[] bytes) implements SwapMessage {}

  /** From rank 0: the part that was wanted cannot be sent. */
  record Unsent(TuttiException reason) implements SwapMessage {}

  /** To rank 0: all jars are loaded. */
  record Prepared() implements SwapMessage {}

  /** To rank 0: a jar cannot serve here. */
  record Refused(String content, TuttiException error) implements SwapMessage {}

  /** From rank 0: begin no new plan. */
  record Hold() implements SwapMessage {}

  /** To rank 0: no plan is under way. */
  record Held() implements SwapMessage {}

  /** From rank 0: serve the prepared jars, and begin new plans again. */
  record Publish() implements SwapMessage {}

  /** From rank 0: drop the prepared jars because of an error, and begin new plans again. */
  record End(TuttiException reason) implements SwapMessage {}

  /** To rank 0: a version that serves has failed. */
  record Failed(String plugin, String content, String reason) implements SwapMessage {}

  /** From rank 0: the reaction to the failure is complete. */
  record Decided() implements SwapMessage {}

  /** The body of a message. */
  default BodyWriter body() {
    BodyWriter body = new BodyWriter().text(getClass().getSimpleName());
    switch (this) {
      case Prepare it -> {
        body.number(it.jars().size());
        for (ServedJar jar : it.jars()) {
          body.text(jar.plugin()).text(jar.version()).text(jar.content());
          body.text(jar.copy().toString()).text(jar.file().toString());
        }
      }
      case Wanted it -> body.text(it.content()).number(it.offset());
      case Part it -> body.part(it.bytes());
      case Unsent it -> body.error(it.reason());
      case Refused it -> body.text(it.content()).error(it.error());
      case End it -> body.error(it.reason());
      case Failed it -> body.text(it.plugin()).text(it.content()).text(it.reason());
      case Prepared _, Hold _, Held _, Publish _, Decided _ -> {}
    }
    return body;
  }

  /** Reads what {@link #body} has written. */
  static SwapMessage read(BodyReader body) {
    String kind = body.text();
    return switch (kind) {
      case "Prepare" -> new Prepare(jars(body));
      case "Wanted" -> new Wanted(body.text(), body.number());
      case "Part" -> new Part(body.part().rest());
      case "Unsent" -> new Unsent(body.error());
      case "Prepared" -> new Prepared();
      case "Refused" -> new Refused(body.text(), body.error());
      case "Hold" -> new Hold();
      case "Held" -> new Held();
      case "Publish" -> new Publish();
      case "End" -> new End(body.error());
      case "Failed" -> new Failed(body.text(), body.text(), body.text());
      case "Decided" -> new Decided();
      default -> throw new IllegalArgumentException("not a message about a change: " + kind);
    };
  }

  private static List<ServedJar> jars(BodyReader body) {
    List<ServedJar> jars = new ArrayList<>();
    for (int left = body.count(); left > 0; left--) {
      jars.add(
          new ServedJar(
              body.text(), body.text(), body.text(), Path.of(body.text()), Path.of(body.text())));
    }
    return jars;
  }
}
