package dev.tutti.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.Topology;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The fair shares against a slow oracle that computes in fractions, without short cuts. */
class FairShareTest {

  /** Ends are rounded up to a picosecond, and each can shift those after it. */
  private static final long TOLERANCE_PS = 4;

  private static final Topology TOPOLOGY =
      Topology.pods(List.of(new int[] {2, 3}, new int[] {1, 2}, new int[] {3}));

  private record Request(int src, int dst, long bytes, long start) {}

  static IntStream seeds() {
    return IntStream.range(0, 150);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void everyFlowEndsWhenTheOracleSays(int seed) {
    Random random = new Random(seed);
    Network network = new Network(model(random), TOPOLOGY.rankSize());
    List<Request> requests = requests(random);
    long[] found = ends(network, requests);
    long[] expected = new Oracle(network, requests).ends();
    for (int i = 0; i < found.length; i++) {
      assertThat(found[i])
          .as("seed %d, flow %d of %s", seed, i, requests)
          .isBetween(expected[i] - TOLERANCE_PS, expected[i] + TOLERANCE_PS);
    }
  }

  private static NetworkModel model(Random random) {
    NetworkModel.Builder model =
        NetworkModel.builder()
            .topology(TOPOLOGY)
            .sharing(Sharing.MAX_MIN)
            .level(CommPlane.LEVEL0, LinkTerms.of(0, PerByte.of(1 + random.nextInt(10))))
            .level(
                CommPlane.LEVEL1,
                LinkTerms.of(0, new PerByte(1 + random.nextInt(50), 3))
                    .withOwnPort(random.nextBoolean()));
    if (random.nextBoolean()) {
      model.level(CommPlane.LEVEL2, LinkTerms.of(0, PerByte.of(1 + random.nextInt(30))));
    }
    if (random.nextBoolean()) {
      model.nodeUplink(PerByte.of(1 + random.nextInt(20)));
    }
    if (random.nextBoolean()) {
      model.oversubscription(1 + random.nextInt(8) / 2.0);
    }
    return model.build();
  }

  private static List<Request> requests(Random random) {
    List<Request> requests = new ArrayList<>();
    for (int i = 0; i < 3 + random.nextInt(25); i++) {
      int src = random.nextInt(TOPOLOGY.rankSize());
      int dst = (src + 1 + random.nextInt(TOPOLOGY.rankSize() - 1)) % TOPOLOGY.rankSize();
      long start = random.nextBoolean() ? 0 : random.nextInt(20_000);
      requests.add(new Request(src, dst, 1 + random.nextInt(3000), start));
    }
    return requests;
  }

  /** Runs the class under test; event i is the start of request i, then come the flows. */
  private static long[] ends(Network network, List<Request> requests) {
    EventHeap heap = new EventHeap(requests.size());
    FairShare shares = new FairShare(new SharedResources(network), heap, requests.size());
    for (int i = 0; i < requests.size(); i++) {
      heap.put(i, requests.get(i).start());
    }
    long[] ends = new long[requests.size()];
    while (!heap.isEmpty()) {
      long now = heap.firstTime();
      do {
        int event = heap.take();
        if (event < requests.size()) {
          Request request = requests.get(event);
          int level = network.level(request.src(), request.dst());
          shares.start(event, request.src(), request.dst(), level, request.bytes(), now);
        } else {
          ends[shares.owner(event - requests.size())] = now;
          shares.end(event - requests.size());
        }
      } while (heap.firstTime() == now);
      shares.settle(now);
    }
    return ends;
  }

  /** Computes the rates of all flows anew at every event, in fractions. */
  private static final class Oracle {
    private final List<Request> requests;
    private final List<Map<Integer, Fraction>> costs = new ArrayList<>();

    Oracle(Network network, List<Request> requests) {
      this.requests = requests;
      SharedResources resources = new SharedResources(network);
      for (Request request : requests) {
        Map<Integer, Fraction> crossed = new HashMap<>();
        int level = network.level(request.src(), request.dst());
        for (int end = 0; end < resources.ends(level); end++) {
          crossed.put(
              resources.resource(end, request.src(), request.dst(), level),
              Fraction.of(resources.cost(end, request.src(), request.dst(), level)));
        }
        costs.add(crossed);
      }
    }

    long[] ends() {
      int count = requests.size();
      Fraction[] left = new Fraction[count];
      long[] ends = new long[count];
      List<Integer> active = new ArrayList<>();
      List<Integer> waiting = new ArrayList<>(IntStream.range(0, count).boxed().toList());
      for (int i = 0; i < count; i++) {
        left[i] = Fraction.of(requests.get(i).bytes());
      }
      long now = 0;
      while (!active.isEmpty() || !waiting.isEmpty()) {
        long at = now;
        waiting.removeIf(i -> requests.get(i).start() <= at && active.add(i));
        Map<Integer, Fraction> rates = rates(active);
        long next = Long.MAX_VALUE;
        for (int i : waiting) {
          next = Math.min(next, requests.get(i).start());
        }
        for (int i : active) {
          next = Math.min(next, now + left[i].over(rates.get(i)).ceil());
        }
        Fraction elapsed = Fraction.of(next - now);
        for (int i : active) {
          left[i] = left[i].minus(elapsed.times(rates.get(i)));
        }
        now = next;
        long end = now;
        active.removeIf(
            i -> {
              ends[i] = end;
              return left[i].sign() <= 0;
            });
      }
      return ends;
    }

    private Map<Integer, Fraction> rates(List<Integer> active) {
      Map<Integer, Fraction> rates = new HashMap<>();
      while (rates.size() < active.size()) {
        Fraction least = null;
        int full = -1;
        for (int resource : resources(active)) {
          Fraction room = Fraction.of(1);
          Fraction demand = Fraction.of(0);
          for (int i : active) {
            Fraction cost = costs.get(i).get(resource);
            if (cost != null && rates.containsKey(i)) {
              room = room.minus(cost.times(rates.get(i)));
            } else if (cost != null) {
              demand = demand.plus(cost);
            }
          }
          if (demand.sign() > 0 && (least == null || room.over(demand).minus(least).sign() < 0)) {
            least = room.over(demand);
            full = resource;
          }
        }
        for (int i : active) {
          if (costs.get(i).containsKey(full)) {
            rates.putIfAbsent(i, least);
          }
        }
      }
      assertMaxMin(active, rates);
      return rates;
    }

    private List<Integer> resources(List<Integer> active) {
      return active.stream().flatMap(i -> costs.get(i).keySet().stream()).distinct().toList();
    }

    /** By definition: every flow crosses a full resource on which none has more than it. */
    private void assertMaxMin(List<Integer> active, Map<Integer, Fraction> rates) {
      for (int flow : active) {
        boolean hasBottleneck = false;
        for (int resource : costs.get(flow).keySet()) {
          Fraction room = Fraction.of(1);
          boolean isLargest = true;
          for (int i : active) {
            if (costs.get(i).containsKey(resource)) {
              room = room.minus(costs.get(i).get(resource).times(rates.get(i)));
              isLargest &= rates.get(i).minus(rates.get(flow)).sign() <= 0;
            }
          }
          assertThat(room.sign()).isGreaterThanOrEqualTo(0);
          hasBottleneck |= isLargest && room.sign() == 0;
        }
        assertThat(hasBottleneck).isTrue();
      }
    }
  }

  private record Fraction(BigInteger top, BigInteger bottom) {

    Fraction {
      BigInteger divisor = top.gcd(bottom).max(BigInteger.ONE);
      if (bottom.signum() < 0) {
        divisor = divisor.negate();
      }
      top = top.divide(divisor);
      bottom = bottom.divide(divisor);
    }

    static Fraction of(double value) {
      BigDecimal exact = new BigDecimal(value);
      return exact.scale() <= 0
          ? new Fraction(exact.toBigIntegerExact(), BigInteger.ONE)
          : new Fraction(exact.unscaledValue(), BigInteger.TEN.pow(exact.scale()));
    }

    Fraction plus(Fraction other) {
      return new Fraction(
          top.multiply(other.bottom).add(other.top.multiply(bottom)),
          bottom.multiply(other.bottom));
    }

    Fraction minus(Fraction other) {
      return plus(new Fraction(other.top.negate(), other.bottom));
    }

    Fraction times(Fraction other) {
      return new Fraction(top.multiply(other.top), bottom.multiply(other.bottom));
    }

    Fraction over(Fraction other) {
      return new Fraction(top.multiply(other.bottom), bottom.multiply(other.top));
    }

    int sign() {
      return top.signum();
    }

    long ceil() {
      BigInteger[] parts = top.divideAndRemainder(bottom);
      return parts[0].longValueExact() + (parts[1].signum() > 0 ? 1 : 0);
    }
  }
}
