package dev.tutti.plugins.tree;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.param.ReduceParam;
import dev.tutti.sdk.resource.Slice;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A rank's view of recursive halving. The place of a rank is its distance behind the root; each
 * place from {@code power} on hands its operand to the place {@code power} lower, and sits out.
 *
 * @param place the place of this rank
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

  /** The distances of the partners of this rank, the largest first. */
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

  /** The run of parts that this rank keeps after the exchange with its partner at a distance. */
  Slice kept(List<Slice> parts, int distance) {
    return run(parts, place & -distance, distance);
  }

  /** The run of parts that the partner keeps. */
  Slice given(List<Slice> parts, int distance) {
    return run(parts, (place ^ distance) & -distance, distance);
  }

  /** A run of consecutive parts. An empty run is at offset 0, which is valid in every memory. */
  static Slice run(List<Slice> parts, int first, int number) {
    long start = parts.get(first).offset();
    Slice last = parts.get(first + number - 1);
    long end = last.offset() + last.size();
    return start == end ? new Slice(0, 0) : new Slice(start, end - start);
  }
}
