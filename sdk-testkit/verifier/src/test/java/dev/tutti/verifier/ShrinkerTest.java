package dev.tutti.verifier;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.matrix.CollectiveCase;
import org.junit.jupiter.api.Test;

class ShrinkerTest {

  private final CollectiveCase large =
      CollectiveCase.of(Operation.BROADCAST, Topology.parse("8+8|8+4"))
          .withCount(5000)
          .withRoot(20)
          .withSeed(77);

  @Test
  void findsTheFewestRanksThenTheSmallestCountThenOneNode() {
    CollectiveCase smallest =
        Shrinker.shrink(large, c -> c.comm().rankSize() >= 5 && c.count() >= 3);

    assertThat(smallest.token()).startsWith("broadcast;ranks=5;count=3;type=float32;root=0;");
    assertThat(smallest.seed()).isEqualTo(1);
  }

  @Test
  void keepsTheLevelsThatTheFailureNeeds() {
    CollectiveCase smallest = Shrinker.shrink(large, c -> c.topology().nodeCount() >= 3);

    assertThat(smallest.topology()).isEqualTo(Topology.parse("8+8|1"));
    assertThat(smallest.count()).isZero();
  }

  @Test
  void dropsTheParametersThatTheFailureDoesNotNeed() {
    CollectiveCase c =
        large.withOptions(AlgOptions.none().with("radix", 3).with("segment-bytes", 128));

    CollectiveCase smallest =
        Shrinker.shrink(
            c,
            each ->
                each.options().values().getOrDefault("radix", "").equals("3") && each.count() > 4);

    assertThat(smallest.options()).isEqualTo(AlgOptions.none().with("radix", 3));
    assertThat(smallest.count()).isEqualTo(5);
    assertThat(Shrinker.shrink(c, each -> each.count() > 4).options()).isEqualTo(AlgOptions.none());
  }

  @Test
  void keepsACaseThatNothingSmallerReproduces() {
    assertThat(Shrinker.shrink(large, c -> false)).isEqualTo(large);
  }

  @Test
  void theHeadOfATopologyHasItsFirstRanks() {
    assertThat(Shrinker.head(large.topology(), 18)).isEqualTo(Topology.parse("8+8|2"));
    assertThat(Shrinker.head(large.topology(), 16)).isEqualTo(Topology.parse("8+8"));
    assertThat(Shrinker.head(large.topology(), 28)).isEqualTo(large.topology());
  }
}
