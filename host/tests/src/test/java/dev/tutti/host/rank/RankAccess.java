package dev.tutti.host.rank;

import dev.tutti.engine.RankBinding;
import dev.tutti.host.RankHandle;
import dev.tutti.host.group.MessageBindings;
import java.lang.reflect.Field;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** Access for tests to the calls of a rank. */
public final class RankAccess {

  private RankAccess() {}

  /** The known calls of a rank whose group shares no memory. */
  public static MessageBindings known(RankHandle rank) throws ReflectiveOperationException {
    RankMeeting everybody = ((RankCalls) field(rank, "calls")).meetings().everybody();
    return Objects.requireNonNull(everybody.bindings().messages());
  }

  /** Whether the last blocking call of a rank had a binding that is short. */
  public static boolean isLastShort(RankHandle rank) throws ReflectiveOperationException {
    RecentCalls recent = (RecentCalls) field(rank, "recent");
    AtomicReferenceArray<?> last = (AtomicReferenceArray<?>) field(recent, "last");
    int next = (int) field(recent, "next");
    Object made = last.get(Math.floorMod(next - 1, last.length()));
    RankBinding binding = ((RankOperation) field(made, "ready")).part().binding();
    return binding != null && binding.isShort();
  }

  private static Object field(Object of, String name) throws ReflectiveOperationException {
    Field field = of.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field.get(of);
  }
}
