package dev.tutti.host;

import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;
import jdk.jfr.Recording;
import org.jspecify.annotations.Nullable;

/**
 * Whether the flight recorder wants an event of each run. While it does not, a run pays one read.
 * The recorder itself is not loaded before {@link #install}, which takes a tenth of a second.
 */
final class RunRecorder {

  private static volatile boolean isWanted;
  private static boolean isInstalled;

  private RunRecorder() {}

  /** Follows the recorder from now on: recordings that run, and those that begin later. */
  static synchronized void install() {
    if (isInstalled) {
      return;
    }
    isInstalled = true;
    EventType type = EventType.getEventType(RunEvent.class);
    FlightRecorder.addListener(
        new FlightRecorderListener() {
          @Override
          public void recordingStateChanged(Recording recording) {
            isWanted = type.isEnabled();
          }
        });
    isWanted = type.isEnabled();
  }

  /** A begun event, or null if nobody wants it. */
  static @Nullable RunEvent begin() {
    if (!isWanted) {
      return null;
    }
    RunEvent event = new RunEvent();
    event.begin();
    return event;
  }

  /** Hands an event over. */
  static void end(RunEvent event, RunHolder ran) {
    event.end();
    if (event.shouldCommit()) {
      ran.describe(event);
      event.commit();
    }
  }
}
