package dev.tutti.plugins.tree;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.param.ReduceParam;
import dev.tutti.sdk.resource.Slice;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A rank's view of recursive halving. The place of a rank is its distance behind the root; places
 * from {@code power} on hand their operand to the place that is {@code power} less, and sit out.
 *
 * @param place this rank's
 * @param size the number of ranks
 * @param root the rank at place 0
 */
record Halving(int place, int size, int root) {

  static Halving of(ReduceParam param) {
    int size = param.comm().rankSize();
    return new Halving(Math.floorMod(param.comm().rank() - param.root(), size), size, param.root());
  }

  int rankAt(int otherPlace) {
    return (otherPlace + root) % size;
  }

  /** The number of places that do not sit out, the largest power of two up to the size. */
  int power() {
    return Integer.highestOneBit(size);
  }

  boolean isRoot() {
    return place == 0;
  }

  boolean sitsOut() {
    return place >= power();
  }

  /** Whether a place gets the operand of one that sits out. */
  boolean isFolded(int otherPlace) {
    return otherPlace + power() < size;
  }

  /** The place that hands its operand to this one, or gets it from this one. */
  int foldedPlace() {
    return sitsOut() ? place - power() : place + power();
  }

  /** The distances of the partners of this rank, from the largest on. */
  List<Integer> distances() {
    return sitsOut()
        ? List.of()
        : IntStream.iterate(power() / 2, distance -> distance > 0, distance -> distance / 2)
            .boxed()
            .toList();
  }

  /** One part for each place that does not sit out. */
  List<Slice> parts(long count, DataType dataType) {
    return Slice.partition(count, power(), dataType.size());
  }

  /** The run of parts that this rank goes on with after it has met its partner at a distance. */
  Slice kept(List<Slice> parts, int distance) {
    return run(parts, place & -distance, distance);
  }

  /** The run of parts that its partner goes on with. */
  Slice given(List<Slice> parts, int distance) {
    return run(parts, (place ^ distance) & -distance, distance);
  }

  /** Some parts in a row. An empty run lies at the start, where all memory has room for it. */
  static Slice run(List<Slice> parts, int first, int number) {
    long start = parts.get(first).offset();
    Slice last = parts.get(first + number - 1);
    long end = last.offset() + last.size();
    return start == end ? new Slice(0, 0) : new Slice(start, end - start);
  }
}
