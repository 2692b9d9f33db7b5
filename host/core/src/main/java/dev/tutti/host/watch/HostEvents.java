package dev.tutti.host.watch;

import dev.tutti.host.status.RunFacts;
import dev.tutti.sdk.TuttiException;
import java.util.List;
import java.util.function.Supplier;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Recording;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/**
 * The events of operations and their phases for Java's flight recorder. While the recorder wants
 * none of them, each event costs one read of a field. This class does not start the recorder.
 */
public final class HostEvents {

  private static final String DONE = "done";

  private static volatile boolean isWanted;
  private static boolean isInstalled;

  private HostEvents() {}

  /** One run of a request or a capture, with the copies before and after it. */
  @Name("dev.tutti.Run")
  @Label("Collective Run")
  @Description("One run of a request or of a capture, with the copies before and after it")
  public static final class Run extends TuttiEvent {}

  /** One call of one rank. */
  @Name("dev.tutti.RankCall")
  @Label("Rank Call")
  @Description("One operation as one rank sees it, from its call until its result is there")
  public static final class RankCall extends TuttiEvent {
    @Label("Rank")
    int rank;
  }

  /** The wait of one rank within its call. */
  @Name("dev.tutti.Wait")
  @Label("Wait for Ranks")
  @Description("A rank waits, first for the other ranks and then for the end of its own part")
  @Category({"Tutti", "Operations", "Phases"})
  public static final class Wait extends TuttiEvent {
    @Label("Rank")
    int rank;

    @Label("For Ranks")
    @Description("The part of the wait until the last rank had called")
    @Timespan(Timespan.NANOSECONDS)
    long forRanks;

    @Label("Last Rank")
    @Description("The rank that called last, or -1 if some never did")
    int lastRank = -1;
  }

  /** The choice of an algorithm, with the plans that are made to compare them. */
  @Name("dev.tutti.Choose")
  @Label("Choose")
  @Description("The choice of an algorithm, with the plans that are made for the comparison")
  @Category({"Tutti", "Operations", "Phases"})
  public static final class Choose extends TuttiEvent {}

  /** The recording of the plan of all ranks. */
  @Name("dev.tutti.Record")
  @Label("Record")
  @Description("The executors of all ranks emit the plan")
  @Category({"Tutti", "Operations", "Phases"})
  public static final class PlanRecord extends TuttiEvent {}

  /** The compilation of a plan. */
  @Name("dev.tutti.Compile")
  @Label("Compile")
  @Category({"Tutti", "Operations", "Phases"})
  public static final class Compile extends TuttiEvent {}

  /** The binding of a plan to memory. */
  @Name("dev.tutti.Bind")
  @Label("Bind")
  @Description("A plan gets the memory of the caller and of the group")
  @Category({"Tutti", "Operations", "Phases"})
  public static final class Bind extends TuttiEvent {}

  /** Follows the flight recorder from now on: current recordings, and those that begin later. */
  public static synchronized void install() {
    if (isInstalled) {
      return;
    }
    isInstalled = true;
    FlightRecorder.addListener(
        new FlightRecorderListener() {
          @Override
          public void recordingStateChanged(Recording recording) {
            look();
          }
        });
    if (FlightRecorder.isInitialized()) {
      look();
    }
  }

  private static void look() {
    isWanted =
        List.of(
                Run.class,
                RankCall.class,
                Wait.class,
                Choose.class,
                PlanRecord.class,
                Compile.class,
                Bind.class)
            .stream()
            .map(EventType::getEventType)
            .anyMatch(EventType::isEnabled);
  }

  /** Whether the recorder wants events of operations. */
  public static boolean areWanted() {
    return isWanted;
  }

  /** A begun event, or null if it is not wanted. */
  public static <E extends TuttiEvent> @Nullable E begin(Supplier<E> type) {
    if (!isWanted) {
      return null;
    }
    E event = type.get();
    event.begin();
    return event;
  }

  /**
   * Ends an event and commits it.
   *
   * @param facts makes the facts of the run; called only if the event is wanted
   * @param failure the exception that ended the run, or null
   */
  public static void end(
      @Nullable TuttiEvent event, Supplier<RunFacts> facts, @Nullable Throwable failure) {
    if (event == null) {
      return;
    }
    event.end();
    if (event.shouldCommit()) {
      event.commit(facts.get(), outcome(failure));
    }
  }

  /** Ends the event of a rank's call. */
  public static void end(RankCall event, int rank, RunFacts facts, @Nullable Throwable failure) {
    event.rank = rank;
    end(event, () -> facts, failure);
  }

  /** Ends the event of a rank's wait. */
  public static void end(
      Wait event,
      int rank,
      int lastRank,
      long forRanks,
      RunFacts facts,
      @Nullable Throwable failure) {
    event.rank = rank;
    event.lastRank = lastRank;
    event.forRanks = forRanks;
    end(event, () -> facts, failure);
  }

  private static String outcome(@Nullable Throwable failure) {
    if (failure == null) {
      return DONE;
    }
    return failure instanceof TuttiException coded ? coded.code().id() : failure.toString();
  }
}
