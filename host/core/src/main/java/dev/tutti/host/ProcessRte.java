package dev.tutti.host;

import dev.tutti.host.job.JobPlace;
import java.nio.file.Path;
import java.util.Optional;

/** One rank is in this JVM. Every other rank is in its own JVM on the same machine. */
record ProcessRte(JobPlace place) implements Rte {

  @Override
  public String name() {
    return "processes";
  }

  @Override
  public boolean isLocal(int rank) {
    return rank == place.rank();
  }

  @Override
  public int ranks() {
    return place.size();
  }

  @Override
  public Optional<Path> jobDirectory() {
    return Optional.of(place.directory());
  }
}
