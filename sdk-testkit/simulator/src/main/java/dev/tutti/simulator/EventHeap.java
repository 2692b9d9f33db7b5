package dev.tutti.simulator;

import java.util.Arrays;

/**
 * Numbered events by time; each number is in the heap at most once. At equal times the smaller
 * number comes first, so every simulation is the same. Not thread-safe.
 */
final class EventHeap {

  /*
   * A node has four children: the heap has half the depth of a binary heap, and the children's
   * numbers share a cache line. Times are indexed by event number, not by heap place, so moving an
   * event moves one int.
   */
  private static final int ABSENT = -1;

  private long[] time;
  private int[] place;
  private int[] heap;
  private int size;

  EventHeap(int numbers) {
    time = new long[numbers];
    place = new int[numbers];
    heap = new int[numbers];
    Arrays.fill(place, ABSENT);
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** The time of the first event, or {@link Long#MAX_VALUE} if there is none. */
  long firstTime() {
    return size == 0 ? Long.MAX_VALUE : time[heap[0]];
  }

  /** Adds an event, or moves it to another time. */
  void put(int number, long at) {
    if (number >= place.length) {
      grow(number + 1);
    }
    time[number] = at;
    int hole = place[number];
    if (hole == ABSENT) {
      rise(size++, number);
    } else {
      rise(hole, number);
      if (place[number] == hole) {
        sink(hole, number);
      }
    }
  }

  /** Takes the first event. */
  int take() {
    int first = heap[0];
    place[first] = ABSENT;
    int last = heap[--size];
    if (size > 0) {
      sink(0, last);
    }
    return first;
  }

  private void grow(int numbers) {
    int old = place.length;
    int length = Math.max(numbers, old * 2);
    time = Arrays.copyOf(time, length);
    heap = Arrays.copyOf(heap, length);
    place = Arrays.copyOf(place, length);
    Arrays.fill(place, old, length, ABSENT);
  }

  private boolean isBefore(int number, int other) {
    long difference = time[number] - time[other];
    return difference < 0 || (difference == 0 && number < other);
  }

  private void rise(int from, int number) {
    int hole = from;
    while (hole > 0) {
      int parent = (hole - 1) >>> 2;
      int above = heap[parent];
      if (!isBefore(number, above)) {
        break;
      }
      heap[hole] = above;
      place[above] = hole;
      hole = parent;
    }
    heap[hole] = number;
    place[number] = hole;
  }

  private void sink(int from, int number) {
    int hole = from;
    while (true) {
      int child = (hole << 2) + 1;
      if (child >= size) {
        break;
      }
      int least = heap[child];
      int leastAt = child;
      int end = Math.min(child + 4, size);
      for (int next = child + 1; next < end; next++) {
        if (isBefore(heap[next], least)) {
          least = heap[next];
          leastAt = next;
        }
      }
      if (!isBefore(least, number)) {
        break;
      }
      heap[hole] = least;
      place[least] = hole;
      hole = leastAt;
    }
    heap[hole] = number;
    place[number] = hole;
  }
}
