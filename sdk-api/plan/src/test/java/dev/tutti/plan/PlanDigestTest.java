package dev.tutti.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PlanDigestTest {

  /** Digests are kept in caches and reports, so they must be the same in every release. */
  @Test
  void digestsDoNotChangeBetweenReleases() {
    assertThat(SamplePlans.everything().digest())
        .isEqualTo("a72fcc54bc07870b5b785f771f6f423a6f3861d927af8521ae3613888a4c7c75");
    assertThat(SamplePlans.nested().digest())
        .isEqualTo("42943d4e4533b2c27c4a7926f21fe0e79ae543e02de8e730cc7ac873a6eeed77");
  }

  @Test
  void aDigestIs64HexadecimalDigits() {
    assertThat(SamplePlans.ring().digest()).matches("[0-9a-f]{64}");
  }

  @Test
  void equalPlansHaveEqualDigests() {
    assertThat(SamplePlans.nested()).isEqualTo(SamplePlans.nested());
    assertThat(SamplePlans.nested().digest()).isEqualTo(SamplePlans.nested().digest());
  }

  @Test
  void aNestedPlanIsNotTheSameAsItsActions() {
    GroupPlan ring = SamplePlans.ring();

    assertThat(GroupPlan.sequence("one", List.of(ring)).digest()).isNotEqualTo(ring.digest());
    assertThat(GroupPlan.sequence("one", List.of(ring, ring)).digest())
        .isNotEqualTo(GroupPlan.sequence("one", List.of(ring)).digest());
  }

  @Test
  void theOrderOfASequenceCounts() {
    GroupPlan ring = SamplePlans.ring();
    GroupPlan other = SamplePlans.everything();

    assertThat(GroupPlan.sequence("", List.of(ring, other)).digest())
        .isNotEqualTo(GroupPlan.sequence("", List.of(other, ring)).digest());
  }

  @Test
  void everyEnumOfAPlanFitsTheSetOfNamesInUse() {
    assertThat(
            List.of(
                LabelTable.KINDS,
                LabelTable.DATA_TYPES,
                LabelTable.REDUCE_OPS,
                LabelTable.MEM_TYPES,
                LabelTable.PLANES,
                LabelTable.PROTOCOLS))
        .allMatch(table -> table.values().size() <= 64);
  }
}
