package dev.tutti.verifier.purity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tutti.verifier.process.ChildException;
import dev.tutti.verifier.process.ChildJvm;
import dev.tutti.verifier.process.ChildLimits;
import dev.tutti.verifier.process.ParentChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No two elements have the same order in all processes. */
class SetOrderTest {

  /** The slots of a table in the order of iteration. */
  private static List<Integer> walk(SetOrder order, int slots) {
    int last = (int) (Math.round(order.start() * (1L << 32)) * slots >>> 32);
    List<Integer> walk = new ArrayList<>();
    for (int step = 1; step <= slots; step++) {
      walk.add(Math.floorMod(order.isUpwards() ? last + step : last - step, slots));
    }
    return walk;
  }

  @Test
  void the_model_walks_as_this_process_does() {
    SetOrder here = SetOrder.here();
    for (int size = 3; size <= 64; size++) {
      Integer[] even = IntStream.range(0, size).mapToObj(i -> 2 * i).toArray(Integer[]::new);
      List<Integer> model = walk(here, 2 * size).stream().filter(slot -> slot % 2 == 0).toList();

      List<Integer> walk = List.copyOf(Set.of(even));

      // The start is known to the precision of one slot of a far larger table.
      assertThat(model.indexOf(walk.getFirst())).isIn(0, 1, size - 1);
      assertThat(walk.get(1) == (walk.getFirst() + 2) % (2 * size)).isEqualTo(here.isUpwards());
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.001, 0.1, 0.24, 0.3333, 0.4999, 0.5, 0.77, 0.9, 0.9999})
  void every_pair_is_turned_round_in_one_of_the_others(double start) {
    for (boolean isUpwards : new boolean[] {true, false}) {
      SetOrder here = new SetOrder(isUpwards, start);
      for (int slots = 2; slots <= 64; slots++) {
        List<Integer> ours = walk(here, slots);
        int length = slots;
        List<List<Integer>> theirs =
            here.others().stream().map(other -> walk(other, length)).toList();
        for (int first = 0; first < slots; first++) {
          for (int second = first + 1; second < slots; second++) {
            int a = ours.get(first);
            int b = ours.get(second);
            assertThat(theirs)
                .as("%s, %d slots, %d before %d", here, slots, a, b)
                .anyMatch(walk -> walk.indexOf(b) < walk.indexOf(a));
          }
        }
      }
    }
  }

  /** Sets each order that it receives, and reports the resulting order. */
  static final class Taker {
    public static void main(String[] arguments) throws Exception {
      ParentChannel channel = ParentChannel.open();
      channel.ready("");
      while (true) {
        SetOrder.of(channel.next().getFirst()).take();
        channel.send(List.of(SetOrder.here().toString(), Set.of("a", "b").toString()));
      }
    }
  }

  @Test
  void a_process_takes_one_order_after_another() throws ChildException {
    List<SetOrder> others = SetOrder.here().others();
    try (ChildJvm child = ChildJvm.start(Taker.class, SetOrder.jvmOptions())) {
      child.ready();
      for (int turn = 0; turn < 3000; turn++) {
        SetOrder wanted = others.get(turn % others.size());
        child.send(List.of(wanted.toString()));
        List<String> answer = child.begin(ChildLimits.of(Duration.ofMinutes(1))).answer();
        SetOrder taken = SetOrder.of(answer.getFirst());

        assertThat(taken.isUpwards()).isEqualTo(wanted.isUpwards());
        assertThat(taken.start()).isCloseTo(wanted.start(), within(0.001));
        assertThat(answer.getLast().equals(Set.of("a", "b").toString()))
            .isEqualTo(wanted.isUpwards() == SetOrder.here().isUpwards());
      }
    }
  }
}
