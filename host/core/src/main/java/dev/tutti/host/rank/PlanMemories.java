package dev.tutti.host.rank;

import dev.tutti.host.job.BodyReader;
import dev.tutti.host.job.BodyWriter;
import dev.tutti.host.job.MemoryWindows;
import dev.tutti.host.job.MemoryWindows.Place;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The places of a rank's memory for plans.
 *
 * @param places the places by column; null where the rank has none
 */
record PlanMemories(@Nullable Place[] places) {

  /** The places of the memory of this process's rank. */
  static PlanMemories of(@Nullable MemorySegment[] present, MemoryWindows windows) {
    @Nullable Place[] places = new Place[present.length];
    for (int column = 0; column < present.length; column++) {
      MemorySegment memory = present[column];
      places[column] = memory == null ? null : windows.placeOf(memory);
    }
    return new PlanMemories(places);
  }

  /** No places, for memory that does not matter to other ranks. */
  static PlanMemories none() {
    return new PlanMemories(new Place[0]);
  }

  void write(BodyWriter body) {
    body.number(places.length);
    for (Place each : places) {
      Place.write(body, each);
    }
  }

  static PlanMemories read(BodyReader body) {
    @Nullable Place[] places = new Place[body.count()];
    for (int column = 0; column < places.length; column++) {
      places[column] = Place.readAny(body);
    }
    return new PlanMemories(places);
  }

  /** The memory, mapped in the process of another rank. */
  @Nullable MemorySegment[] segments(MemoryWindows windows) {
    @Nullable MemorySegment[] segments = new MemorySegment[places.length];
    for (int column = 0; column < segments.length; column++) {
      Place place = places[column];
      segments[column] = place == null ? null : windows.segment(place, false);
    }
    return segments;
  }
}
