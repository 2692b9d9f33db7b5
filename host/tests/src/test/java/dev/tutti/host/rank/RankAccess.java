package dev.tutti.host.rank;

import dev.tutti.host.RankHandle;
import dev.tutti.host.group.MessageBindings;
import java.lang.reflect.Field;
import java.util.Objects;

/** Access for tests to the calls of a rank. */
public final class RankAccess {

  private RankAccess() {}

  /** The known calls of a rank whose group shares no memory. */
  public static MessageBindings known(RankHandle rank) throws ReflectiveOperationException {
    Field calls = RankHandle.class.getDeclaredField("calls");
    calls.setAccessible(true);
    RankMeeting everybody = ((RankCalls) calls.get(rank)).meetings().everybody();
    return Objects.requireNonNull(everybody.bindings().messages());
  }
}
