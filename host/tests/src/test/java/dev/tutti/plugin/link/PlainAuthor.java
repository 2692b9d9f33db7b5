package dev.tutti.plugin.link;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Serializable;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.text.DecimalFormat;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.IntBinaryOperator;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Gatherers;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/** Code as authors of plugins write it. None of it may need a capability. */
final class PlainAuthor {

  enum Phase {
    SCATTER {
      @Override
      int steps(int ranks) {
        return ranks - 1;
      }
    },
    GATHER;

    int steps(int ranks) {
      return Integer.numberOfTrailingZeros(Integer.highestOneBit(ranks));
    }
  }

  sealed interface Step permits Send, Receive, Local {}

  record Send(int peer, long bytes) implements Step {
    Send {
      Objects.checkIndex(peer, 1 << 20);
    }
  }

  record Receive(int peer, long bytes) implements Step {}

  record Local(Phase phase, List<Integer> values) implements Step {}

  record Pair<A extends Comparable<A>, B>(A first, B second) implements Comparable<Pair<A, B>> {
    @Override
    public int compareTo(Pair<A, B> other) {
      return first.compareTo(other.first);
    }
  }

  static final class Broken extends Exception implements Serializable {
    private static final long serialVersionUID = 1;

    Broken(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** A tree with its own iterator. */
  static final class Children implements Iterable<Integer> {
    private final int node;
    private final int size;

    Children(int node, int size) {
      this.node = node;
      this.size = size;
    }

    @Override
    public Iterator<Integer> iterator() {
      return new Iterator<>() {
        private int next = 2 * node + 1;

        @Override
        public boolean hasNext() {
          return next < size && next <= 2 * node + 2;
        }

        @Override
        public Integer next() {
          if (!hasNext()) {
            throw new NoSuchElementException("no child after " + next);
          }
          return next++;
        }
      };
    }
  }

  String all(Object given) {
    StringJoiner text = new StringJoiner("; ", "<", ">");
    text.add(collections()).add(streams()).add(texts()).add(numbers()).add(shared());
    text.add(describe(given)).add(described(Phase.GATHER)).add(failing()).add(bytes());
    return text.toString();
  }

  private static String describe(Object given) {
    return switch (given) {
      case null -> "nothing";
      case Send(int peer, long bytes) when bytes > 1024 -> "long send to " + peer;
      case Send send -> send.toString();
      case Receive receive -> "receive " + receive.hashCode() + receive.equals(given);
      case Local(Phase phase, List<Integer> values) -> phase.name() + values.size();
      case Phase.SCATTER -> "scatter";
      case Phase phase -> phase.name().toLowerCase(Locale.ROOT) + phase.steps(8);
      case Pair<?, ?>(String first, var second) -> first + second;
      case String line -> line.strip().repeat(2);
      case int[] values -> Arrays.toString(values.clone());
      default -> given.getClass().getSimpleName();
    };
  }

  private static int described(Step step) {
    return switch (step) {
      case Send send -> send.peer();
      case Receive receive -> receive.peer();
      case Local local -> local.values().size();
    };
  }

  private static String described(Phase phase) {
    assert phase != null : "no phase";
    switch (phase) {
      case SCATTER:
        return "s";
      default:
        return Phase.valueOf("GATHER").compareTo(Phase.SCATTER) + phase.toString();
    }
  }

  private static String collections() {
    Map<Phase, List<Step>> byPhase = new EnumMap<>(Phase.class);
    byPhase.computeIfAbsent(Phase.SCATTER, phase -> new ArrayList<>()).add(new Send(1, 2));
    byPhase.merge(Phase.GATHER, List.of(new Receive(1, 2)), (a, b) -> b);
    Deque<Integer> open = new ArrayDeque<>(List.of(0));
    Set<Integer> seen = Collections.newSetFromMap(new LinkedHashMap<>());
    while (!open.isEmpty()) {
      int node = open.removeFirst();
      if (seen.add(node)) {
        new Children(node, 10).forEach(open::addLast);
      }
    }
    PriorityQueue<Pair<Integer, String>> queue = new PriorityQueue<>(Comparator.reverseOrder());
    queue.add(new Pair<>(1, "a"));
    TreeMap<Long, String> sizes = new TreeMap<>(Map.of(1L, "one", 2L, "two"));
    BitSet bits = new BitSet();
    bits.set(0, 5);
    List<Integer> ranks = new ArrayList<>(List.of(3, 1, 2));
    Collections.shuffle(ranks, new Random(7));
    ranks.sort(Comparator.comparingInt((Integer rank) -> rank).thenComparing(Objects::hashCode));
    ranks.removeIf(rank -> rank > 2);
    Step[] steps = byPhase.values().stream().flatMap(List::stream).toArray(Step[]::new);
    return ""
        + described(steps[0])
        + seen
        + queue.poll()
        + sizes.floorKey(5L)
        + bits.cardinality()
        + ranks.getLast()
        + EnumSet.allOf(Phase.class)
        + Arrays.asList(1, 2).reversed()
        + Map.copyOf(sizes).size();
  }

  private static String streams() {
    IntBinaryOperator gcd = (a, b) -> BigInteger.valueOf(a).gcd(BigInteger.valueOf(b)).intValue();
    OptionalInt all = IntStream.rangeClosed(1, 9).filter(i -> i % 3 == 0).reduce(gcd);
    Map<Boolean, List<Integer>> halves =
        Stream.iterate(1, i -> i < 100, i -> i * 2).collect(groupingBy(i -> i > 10));
    Supplier<Function<Integer, Supplier<String>>> nested = () -> i -> () -> "n" + i + all;
    return halves.values().stream()
        .map(List::toString)
        .sorted(Comparator.comparing(String::length))
        .gather(Gatherers.windowFixed(2))
        .map(window -> String.join("|", window))
        .collect(joining(",", nested.get().apply(3).get(), ""));
  }

  private static String texts() {
    Matcher matcher = Pattern.compile("(?<name>[a-z]+)=(\\d+)").matcher("ring=12 tree=7");
    StringBuilder text =
        new StringBuilder(
            """
        first
          second\t\u00e9
        """);
    while (matcher.find()) {
      text.append(matcher.group("name")).append(Integer.parseInt(matcher.group(2)));
    }
    StringWriter writer = new StringWriter();
    new PrintWriter(writer).printf(Locale.ROOT, "%5d|%-8s|%.3f%n", 7, "x", 0.5);
    try (BufferedReader reader = new BufferedReader(new StringReader(writer.toString()))) {
      text.insert(0, reader.readLine()).reverse();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text
        + String.format("%s %x", "a", 255)
        + "%d of %d".formatted(1, 2)
        + new DecimalFormat("#.##").format(1.234)
        + HexFormat.of().formatHex(new byte[] {1})
        + String.join(",", "b a".split(" ", -1))
        + text.chars().filter(Character::isDigit).count();
  }

  private static String numbers() {
    long bytes = Math.multiplyExact(3L, Math.ceilDiv(7, 2)) + Math.floorMod(-1, 4);
    BigDecimal share = BigDecimal.ONE.divide(new BigDecimal("3"), 5, RoundingMode.HALF_UP);
    double mean = Math.log(Math.sqrt(2)) + StrictMath.pow(2, 0.5) + Double.MIN_NORMAL;
    return Long.toBinaryString(bytes)
        + share
        + Double.compare(mean, Float.intBitsToFloat(1))
        + Integer.compareUnsigned(1, -1)
        + Optional.of(mean).map(Double::intValue).orElseThrow()
        + Duration.ofMillis(3).toNanos()
        + TimeUnit.SECONDS.toMillis(2)
        + new Random(1).nextInt(9);
  }

  private static String shared() {
    Map<String, AtomicInteger> counts = new ConcurrentHashMap<>();
    counts.computeIfAbsent("a", key -> new AtomicInteger()).incrementAndGet();
    counts.forEach((key, value) -> value.getAndAdd(2));
    ReentrantLock lock = new ReentrantLock();
    lock.lock();
    try {
      synchronized (counts) {
        return counts.toString();
      }
    } finally {
      lock.unlock();
    }
  }

  private static String failing() {
    try {
      throw new Broken("as it should", new IllegalStateException());
    } catch (Broken | RuntimeException e) {
      e.addSuppressed(new UnsupportedOperationException());
      return e.getMessage() + e.getCause() + e.getStackTrace()[0].getMethodName();
    }
  }

  private static String bytes() {
    ByteBuffer buffer = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN).putLong(7L).flip();
    CRC32 sum = new CRC32();
    sum.update("plan".getBytes(StandardCharsets.UTF_8));
    int[][] table = new int[3][4];
    System.arraycopy(table[0], 0, table[1], 0, 4);
    return buffer.getInt() + Long.toHexString(sum.getValue()) + Arrays.deepToString(table);
  }
}
