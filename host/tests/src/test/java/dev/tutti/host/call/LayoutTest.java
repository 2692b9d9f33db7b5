package dev.tutti.host.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.Errors;
import dev.tutti.sdk.ErrorCode;
import org.junit.jupiter.api.Test;

final class LayoutTest {

  private static String blocks(Layout layout, long repetitions) {
    LayoutBlocks blocks = layout.blocks(repetitions);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < blocks.size(); i++) {
      text.append(i == 0 ? "" : " ").append(blocks.start(i)).append('+').append(blocks.length(i));
    }
    return text.toString();
  }

  @Test
  void aVectorHasBlocksAtEqualDistances() {
    Layout layout = Layout.vector(3, 2, 5);
    assertThat(layout.elements()).isEqualTo(6);
    assertThat(layout.span()).isEqualTo(12);
    assertThat(layout.extent()).isEqualTo(12);
    assertThat(blocks(layout, 1)).isEqualTo("0+2 5+2 10+2");
    assertThat(blocks(layout, 2)).isEqualTo("0+2 5+2 10+4 17+2 22+2");
    assertThat(blocks(layout.withExtent(20), 2)).isEqualTo("0+2 5+2 10+2 20+2 25+2 30+2");
    assertThat(layout).hasToString("3 blocks of 6 elements in 12, extent 12");
  }

  @Test
  void anIndexedLayoutKeepsTheOrderItIsGivenIn() {
    Layout layout = Layout.indexed(new long[] {2, 0, 1, 3}, new long[] {7, 99, 9, 0});
    assertThat(layout.elements()).isEqualTo(6);
    assertThat(layout.span()).isEqualTo(10);
    assertThat(blocks(layout, 1)).isEqualTo("7+3 0+3");
    assertThat(layout).isEqualTo(Layout.indexed(new long[] {3, 3}, new long[] {7, 0}));
    assertThat(layout.hashCode())
        .isEqualTo(Layout.indexed(new long[] {3, 3}, new long[] {7, 0}).hashCode());
    assertThat(layout).isNotEqualTo(layout.withExtent(11));
  }

  @Test
  void blocksThatTouchAreOne() {
    assertThat(Layout.vector(1000, 4, 4).isContiguous()).isTrue();
    assertThat(Layout.vector(1, 7, 0).isContiguous()).isTrue();
    assertThat(Layout.contiguous()).hasToString("contiguous");
    assertThat(blocks(Layout.contiguous(), 1L << 50)).isEqualTo("0+" + (1L << 50));
    Layout later = Layout.indexed(new long[] {4}, new long[] {3}).withExtent(4);
    assertThat(later.isContiguous()).isFalse();
    assertThat(blocks(later, 1L << 50)).isEqualTo("3+" + (1L << 52));
  }

  @Test
  void columnsOfAMatrixAreAVectorWithTheExtentOfAnElement() {
    Layout columns = Layout.vector(3, 1, 4).withExtent(1);
    assertThat(blocks(columns, 2)).isEqualTo("0+1 4+1 8+1 1+1 5+1 9+1");
    assertThat(columns.blocks(4).overlap()).isFalse();
    assertThat(columns.blocks(5).overlap()).isTrue();
    assertThat(columns.span(4)).isEqualTo(12);
  }

  @Test
  void countsTheElementsThatFitIntoABuffer() {
    Layout layout = Layout.vector(2, 3, 5).withExtent(10);
    assertThat(layout.elementsWithin(7)).isZero();
    assertThat(layout.elementsWithin(8)).isEqualTo(6);
    assertThat(layout.elementsWithin(17)).isEqualTo(6);
    assertThat(layout.elementsWithin(18)).isEqualTo(12);
    assertThat(layout.span(0)).isZero();
    assertThat(layout.span(Long.MAX_VALUE / 4)).isEqualTo(-1);
  }

  @Test
  void refusesWhatIsNoLayout() {
    assertThat(Errors.message(ErrorCode.INVALID_ARGUMENT, () -> Layout.vector(0, 1, 1)))
        .isEqualTo(
            "a vector needs 1 to 65536 blocks, a block length of 1 or more and a stride of 0 or"
                + " more. Actual: 0 blocks, block length 1, stride 1");
    Errors.message(ErrorCode.INVALID_ARGUMENT, () -> Layout.vector(65_537, 1, 2));
    Errors.message(ErrorCode.INVALID_ARGUMENT, () -> Layout.vector(1, 0, 1));
    Errors.message(ErrorCode.INVALID_ARGUMENT, () -> Layout.vector(2, 1, -1));
    Errors.message(ErrorCode.INVALID_ARGUMENT, () -> Layout.vector(2, 1, Long.MAX_VALUE));
    Errors.message(ErrorCode.INVALID_ARGUMENT, () -> Layout.vector(2, Long.MAX_VALUE, 1));
    Errors.message(ErrorCode.INVALID_ARGUMENT, () -> Layout.indexed(new long[1], new long[2]));
    Errors.message(ErrorCode.INVALID_ARGUMENT, () -> Layout.indexed(new long[0], new long[0]));
    Errors.message(ErrorCode.INVALID_ARGUMENT, () -> Layout.indexed(new long[2], new long[2]));
    assertThat(
            Errors.message(
                ErrorCode.INVALID_ARGUMENT,
                () -> Layout.indexed(new long[] {1, 1}, new long[] {0, -1})))
        .endsWith("Actual: block 1 has length 1 and displacement -1");
    Errors.message(
        ErrorCode.INVALID_ARGUMENT,
        () -> Layout.indexed(new long[] {1}, new long[] {Long.MAX_VALUE}));
    Errors.message(ErrorCode.INVALID_ARGUMENT, () -> Layout.contiguous().withExtent(0));
  }

  @Test
  void refusesMoreBlocksThanAPlanMayHold() {
    Layout layout = Layout.vector(1 << 10, 1, 2);
    assertThat(layout.blocks(1 << 6).size()).isLessThanOrEqualTo(1 << 16);
    assertThat(Errors.message(ErrorCode.PLAN_TOO_LARGE, () -> layout.withExtent(4096).blocks(65)))
        .startsWith("a buffer has more than 65536 separate blocks");
  }
}
