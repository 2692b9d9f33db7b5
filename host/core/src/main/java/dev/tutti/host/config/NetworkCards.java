package dev.tutti.host.config;

import dev.tutti.base.text.Sentence;
import dev.tutti.simulator.NetworkModel;
import dev.tutti.simulator.PerByte;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The network cards of a machine, as Linux reports them below {@code /sys/class}. If the machine
 * has cards with RDMA, MPI uses them, each for a part of the messages. If not, it uses TCP, and one
 * card counts, the fastest.
 *
 * @param number the number of cards that carry messages at the same time
 * @param megabits the speed of the slowest of them in Mbit/s
 * @param haveRdma whether they write to memory without the operating system
 */
record NetworkCards(int number, long megabits, boolean haveRdma) {

  private static final Path SYSTEM = Path.of("/sys/class");

  /**
   * Cards of virtual machines often report no speed, and virtual cards of containers report this.
   */
  private static final long UNKNOWN_MEGABITS = 10_000;

  private static final long BYTES_PER_SECOND = 1_000_000 / Byte.SIZE;

  /** One way, in picoseconds, of messages over TCP. An order of magnitude, not a measurement. */
  private static final long TCP_LATENCY = 10_000_000;

  /** The type of Ethernet cards in Linux. */
  private static final String ETHERNET = "1";

  /** The cards of this machine; empty if it reports none that is in use. */
  static Optional<NetworkCards> found() {
    return of(SYSTEM);
  }

  /**
   * Reads what a machine reports; empty if it reports no card that is in use.
   *
   * @param system the directory with a directory for each kind of device
   */
  static Optional<NetworkCards> of(Path system) {
    List<Long> rdma = new ArrayList<>();
    for (Path device : entries(system.resolve("infiniband"))) {
      for (Path port : entries(device.resolve("ports"))) {
        if (text(port.resolve("state")).endsWith("ACTIVE")) {
          rdma.add(megabits(text(port.resolve("rate"))));
        }
      }
    }
    if (!rdma.isEmpty()) {
      return Optional.of(new NetworkCards(rdma.size(), Collections.min(rdma), true));
    }
    return entries(system.resolve("net")).stream()
        .filter(NetworkCards::isInUse)
        .map(card -> speed(text(card.resolve("speed"))))
        .max(Long::compare)
        .map(megabits -> new NetworkCards(1, megabits, false));
  }

  /** Bridges have the speed of their cards, so they do not count. */
  private static boolean isInUse(Path card) {
    return text(card.resolve("type")).equals(ETHERNET)
        && text(card.resolve("operstate")).equals("up")
        && !Files.exists(card.resolve("bridge"));
  }

  /** The speed of a port with RDMA, such as {@code 200 Gb/sec (4X HDR)}. */
  private static long megabits(String rate) {
    String gigabits = rate.split(" ", 2)[0];
    return gigabits.matches("\\d{1,6}(\\.\\d+)?")
        ? Math.max(1, Math.round(1000 * Double.parseDouble(gigabits)))
        : UNKNOWN_MEGABITS;
  }

  /** The speed of another card in Mbit/s; −1 or nothing if it is unknown. */
  private static long speed(String megabits) {
    return megabits.matches("[1-9]\\d{0,8}") ? Long.parseLong(megabits) : UNKNOWN_MEGABITS;
  }

  private static List<Path> entries(Path directory) {
    List<Path> entries = new ArrayList<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(directory)) {
      found.forEach(entries::add);
    } catch (IOException | DirectoryIteratorException e) {
      // The machine has no device of this kind, or a container hides it.
    }
    return entries;
  }

  /** Some files, such as the speed of a card that is down, exist but cannot be read. */
  private static String text(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      return "";
    }
  }

  /** Machines with such cards, which the ranks of a machine share. */
  NetworkModel model() {
    PerByte card = PerByte.bandwidth(megabits * BYTES_PER_SECOND);
    PerByte all = PerByte.bandwidth(number * megabits * BYTES_PER_SECOND);
    return NetworkModel.cluster(haveRdma ? NetworkModel.CARD_LATENCY : TCP_LATENCY, card, all);
  }

  @Override
  public String toString() {
    String speed =
        megabits % 1000 == 0
            ? megabits / 1000 + " Gbit/s"
            : megabits > 1000 ? megabits / 1000.0 + " Gbit/s" : megabits + " Mbit/s";
    return Sentence.of(
        "%s of %s %s RDMA",
        number == 1 ? "a card" : number + " cards", speed, haveRdma ? "with" : "without");
  }
}
