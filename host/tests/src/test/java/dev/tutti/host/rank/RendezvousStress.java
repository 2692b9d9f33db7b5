package dev.tutti.host.rank;

import dev.tutti.base.idle.Waiting;
import dev.tutti.host.call.CallOptions;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** Two ranks meet: one acts for both, and both get the same outcome. */
public final class RendezvousStress {

  private static final long PATIENCE_NANOS = 60_000_000_000L;

  private static final int OVER = 1;
  private static final int CANCELLED = 2;
  private static final int OPEN = 3;

  private RendezvousStress() {}

  /** A place to meet, and how often somebody acted. */
  private static final class Meeting implements Rendezvous.Host {
    final AtomicInteger acts = new AtomicInteger();
    final Rendezvous rendezvous = new Rendezvous(2, this, Waiting.system());

    /** Arrives, and waits for the end if told so; what came of it. */
    int meet(int place, boolean waits) {
      RankCall call =
          RankCall.of(place, CollectiveCall.barrier(), CallOptions.defaults(), null, null);
      Round round = rendezvous.arrive(place, call);
      if (waits) {
        rendezvous.await(
            place,
            Waiting.system().meeting(2).newIdler(),
            call,
            round,
            PATIENCE_NANOS,
            PATIENCE_NANOS);
      }
      return state(round);
    }

    static int state(Round round) {
      if (!round.isOver()) {
        return OPEN;
      }
      return round.failure() == null ? OVER : CANCELLED;
    }

    @Override
    public int rank(int place) {
      return place;
    }

    @Override
    public void act(List<RankCall> calls, Round round) {
      acts.getAndIncrement();
    }

    @Override
    public @Nullable RankExit whyAbsent(int place) {
      return null;
    }

    @Override
    public TuttiException expired(
        RankCall waiting, Round round, List<Integer> missing, long nanos) {
      return new TuttiException(ErrorCode.INVALID_STATE, "nobody came");
    }

    @Override
    public void poison(String cause) {}

    @Override
    public void requireUsable() {}

    @Override
    public boolean isWatched() {
      return false;
    }

    @Override
    public boolean isUsable() {
      return true;
    }
  }

  /** Both come and wait for the end. */
  @JCStressTest
  @State
  @Outcome(id = "1, 1, 1", expect = Expect.ACCEPTABLE, desc = "one acts, both go on")
  @Outcome(expect = Expect.FORBIDDEN, desc = "nobody acts, both do, or one is left behind")
  public static class TwoRanks {
    private final Meeting meeting = new Meeting();

    @Actor
    public void first(III_Result result) {
      result.r1 = meeting.meet(0, true);
    }

    @Actor
    public void second(III_Result result) {
      result.r2 = meeting.meet(1, true);
    }

    @Arbiter
    public void acts(III_Result result) {
      result.r3 = meeting.acts.get();
    }
  }

  /** One rank gives up the round in which it waits while the other one comes to it. */
  @JCStressTest
  @State
  @Outcome(id = "2, 2, 0", expect = Expect.ACCEPTABLE, desc = "given up for both")
  @Outcome(id = "1, 1, 1", expect = Expect.ACCEPTABLE, desc = "met before")
  @Outcome(expect = Expect.FORBIDDEN, desc = "the two have different outcomes")
  public static class CancelWhileTheOtherComes {
    private final Meeting meeting = new Meeting();
    private final Round round;

    public CancelWhileTheOtherComes() {
      round =
          meeting.rendezvous.arrive(
              0, RankCall.of(0, CollectiveCall.barrier(), CallOptions.defaults(), null, null));
    }

    @Actor
    public void canceller() {
      meeting.rendezvous.cancel(
          round, new TuttiException(ErrorCode.INVALID_STATE, "given up by a test"));
    }

    @Actor
    public void second(III_Result result) {
      result.r2 = meeting.meet(1, true);
    }

    @Arbiter
    public void first(III_Result result) {
      result.r1 = Meeting.state(round);
      result.r3 = meeting.acts.get();
    }
  }
}
