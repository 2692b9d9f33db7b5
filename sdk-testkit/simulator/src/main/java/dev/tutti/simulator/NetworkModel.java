package dev.tutti.simulator;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.Topology;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The costs of messages, reductions, copies and notifies, and the topology of the ranks. Times are
 * whole picoseconds. Immutable.
 *
 * <p>Every rank has a full-duplex port, one more for each level with {@link LinkTerms#hasOwnPort},
 * and one unit that reduces and copies. Each node may have an uplink to the other nodes. Pods may
 * be connected by a fat tree whose uplinks are narrower than the sum of the links below them. See
 * {@code docs/simulator.md}.
 */
public final class NetworkModel {

  /** Picoseconds of a message between two network cards. An order of magnitude. */
  public static final long CARD_LATENCY = 2_000_000;

  /** The levels that a message can cross, from the inside out. */
  static final List<CommPlane> LEVELS =
      List.of(CommPlane.LEVEL0, CommPlane.LEVEL1, CommPlane.LEVEL2);

  private final @Nullable Topology topology;
  private final Sharing sharing;
  private final LinkTerms[] levels;
  private final @Nullable PerByte nodeUplink;
  private final double oversubscription;
  private final PerByte reduction;
  private final PerByte copy;
  private final long notify;
  private final long localNotify;

  private NetworkModel(Builder builder) {
    this.topology = builder.topology;
    this.sharing = builder.sharing;
    this.levels = builder.resolvedLevels();
    this.nodeUplink = builder.nodeUplink;
    this.oversubscription = builder.oversubscription;
    this.reduction = builder.reduction;
    this.copy = builder.copy;
    this.notify = builder.notify;
    this.localNotify = builder.localNotify;
    if (sharing == Sharing.NONE && (nodeUplink != null || oversubscription > 0)) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "node uplinks and oversubscription have an effect only if messages share them; set"
              + " sharing to max-min");
    }
  }

  /** Starts a model in which everything is free. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * The plain model: a message of n bytes takes {@code α + nβ}, and {@code nγ} more if it is
   * reduced into its destination. Local copies and notifies are free, and all ranks are equally far
   * apart.
   *
   * @param alpha picoseconds
   * @param beta the cost of a byte on a link
   * @param gamma the cost of a reduced byte
   */
  public static NetworkModel plain(long alpha, PerByte beta, PerByte gamma) {
    return builder().level(CommPlane.LEVEL0, LinkTerms.of(alpha, beta)).reduction(gamma).build();
  }

  /**
   * Ranks that are threads of one machine with a shared cache: 50 ns, 30 GB/s from core to core, 30
   * GB/s of reduced bytes, 25 GB/s of copied bytes. Orders of magnitude, not a measurement.
   */
  public static NetworkModel machine() {
    return builder()
        .level(CommPlane.LEVEL0, LinkTerms.of(50_000, PerByte.bandwidth(30_000_000_000L)))
        .reduction(PerByte.bandwidth(30_000_000_000L))
        .copy(PerByte.bandwidth(25_000_000_000L))
        .build();
  }

  /**
   * Nodes like {@link #machine}, each with one network card of 200 Gbit/s that its ranks share: 2
   * µs and 25 GB/s between nodes, 4 µs between pods. Orders of magnitude, not a measurement.
   */
  public static NetworkModel cluster() {
    PerByte card = PerByte.bandwidth(25_000_000_000L);
    return cluster(CARD_LATENCY, card, card);
  }

  /**
   * Nodes like {@link #machine} whose ranks share their network cards.
   *
   * @param alpha picoseconds between nodes; between pods it is {@link #CARD_LATENCY} more
   * @param card the cost of a byte on one card
   * @param uplink the cost of a byte on all cards of a node together
   */
  public static NetworkModel cluster(long alpha, PerByte card, PerByte uplink) {
    NetworkModel inside = machine();
    return builder()
        .sharing(Sharing.MAX_MIN)
        .level(CommPlane.LEVEL0, inside.level(CommPlane.LEVEL0))
        .level(CommPlane.LEVEL1, LinkTerms.of(alpha, card).withOwnPort(true))
        .level(CommPlane.LEVEL2, LinkTerms.of(alpha + CARD_LATENCY, card))
        .nodeUplink(uplink)
        .reduction(inside.reduction())
        .copy(inside.copy())
        .build();
  }

  /** The placement of the ranks; empty if the model fits any number of ranks of one node. */
  public Optional<Topology> topology() {
    return Optional.ofNullable(topology);
  }

  /** How messages share a port or a link. */
  public Sharing sharing() {
    return sharing;
  }

  /**
   * The terms of a level.
   *
   * @param level LEVEL0, LEVEL1 or LEVEL2
   */
  public LinkTerms level(CommPlane level) {
    return levels[indexOf(level)];
  }

  LinkTerms terms(int level) {
    return levels[level];
  }

  /** The cost of a byte on a node's uplink, and on its downlink; empty if there is no limit. */
  public Optional<PerByte> nodeUplink() {
    return Optional.ofNullable(nodeUplink);
  }

  /** How many times narrower a pod's uplink is than all links below it; 0 if there is no limit. */
  public double oversubscription() {
    return oversubscription;
  }

  /** The cost of a reduced byte (γ). */
  public PerByte reduction() {
    return reduction;
  }

  /** The cost of a byte copied inside a rank. */
  public PerByte copy() {
    return copy;
  }

  /** Picoseconds from a post to the notify at another rank. */
  public long notifyTime() {
    return notify;
  }

  /** Picoseconds from a post to the notify of another stream of the same rank. */
  public long localNotifyTime() {
    return localNotify;
  }

  /** The same model with another placement of the ranks. */
  public NetworkModel withTopology(Topology newTopology) {
    Builder builder = builder().topology(newTopology).sharing(sharing);
    for (int level = 0; level < levels.length; level++) {
      builder.level(LEVELS.get(level), levels[level]);
    }
    builder.nodeUplink = nodeUplink;
    builder.oversubscription = oversubscription;
    return builder
        .reduction(reduction)
        .copy(copy)
        .notifyTime(notify)
        .localNotifyTime(localNotify)
        .build();
  }

  private static int indexOf(CommPlane level) {
    int index = LEVELS.indexOf(level);
    if (index < 0) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "a message crosses level0, level1 or level2. Actual: %s",
          level.label());
    }
    return index;
  }

  /** Collects the terms of a model. */
  public static final class Builder {

    private @Nullable Topology topology;
    private Sharing sharing = Sharing.NONE;
    private final @Nullable LinkTerms[] levels = new @Nullable LinkTerms[LEVELS.size()];
    private @Nullable PerByte nodeUplink;
    private double oversubscription;
    private PerByte reduction = PerByte.FREE;
    private PerByte copy = PerByte.FREE;
    private long notify;
    private long localNotify;

    private Builder() {}

    private LinkTerms[] resolvedLevels() {
      LinkTerms[] resolved = new LinkTerms[levels.length];
      LinkTerms below = LinkTerms.of(0, PerByte.FREE);
      for (int level = 0; level < levels.length; level++) {
        LinkTerms own = levels[level];
        below = own == null ? below.withOwnPort(false) : own;
        resolved[level] = below;
      }
      return resolved;
    }

    /** The topology of the ranks; by default any number of ranks on one node. */
    public Builder topology(Topology newTopology) {
      this.topology = newTopology;
      return this;
    }

    /** How messages share a port or a link; NONE by default. */
    public Builder sharing(Sharing newSharing) {
      this.sharing = newSharing;
      return this;
    }

    /** The terms of a level; by default those of the level below. */
    public Builder level(CommPlane level, LinkTerms terms) {
      levels[indexOf(level)] = terms;
      return this;
    }

    /** The uplink and the downlink that the ranks of a node share; no limit by default. */
    public Builder nodeUplink(PerByte cost) {
      this.nodeUplink = cost;
      return this;
    }

    /**
     * How many times narrower a pod's uplink and downlink are than the sum of its nodes' uplinks
     * or, if nodes have no uplink, of its ranks' ports at LEVEL1. There is no limit by default.
     *
     * @param ratio 1 for a full fat tree, 2 for one that is tapered to half
     */
    public Builder oversubscription(double ratio) {
      if (!(ratio > 0) || Double.isInfinite(ratio)) {
        throw new TuttiException(
            ErrorCode.INVALID_ARGUMENT, "oversubscription must be more than 0. Actual: %s", ratio);
      }
      this.oversubscription = ratio;
      return this;
    }

    /** The cost of a reduced byte; 0 by default. */
    public Builder reduction(PerByte cost) {
      this.reduction = cost;
      return this;
    }

    /** The cost of a byte copied inside a rank; 0 by default. */
    public Builder copy(PerByte cost) {
      this.copy = cost;
      return this;
    }

    /** Picoseconds from a post to the notify at another rank; 0 by default. */
    public Builder notifyTime(long picoseconds) {
      this.notify = checkTime(picoseconds);
      return this;
    }

    /** Picoseconds from a post to the notify of another stream of its rank; 0 by default. */
    public Builder localNotifyTime(long picoseconds) {
      this.localNotify = checkTime(picoseconds);
      return this;
    }

    private static long checkTime(long picoseconds) {
      if (picoseconds < 0) {
        throw new TuttiException(
            ErrorCode.INVALID_ARGUMENT,
            "a notify must take 0 picoseconds or more. Actual: %d",
            picoseconds);
      }
      return picoseconds;
    }

    /**
     * The model.
     *
     * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if there are uplinks, but
     *     messages do not share them
     */
    public NetworkModel build() {
      return new NetworkModel(this);
    }
  }
}
