package dev.tutti.engine.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tutti.engine.machine.MachineModel.Level;
import dev.tutti.host.Errors;
import dev.tutti.sdk.ErrorCode;
import java.util.List;
import org.junit.jupiter.api.Test;

final class MachineModelTest {

  private static MachineModel of(Level... levels) {
    return new MachineModel(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, List.of(levels));
  }

  @Test
  void costsOfBytesAreInterpolatedAndStayTheSameBeyondTheEnds() {
    MachineModel machine = of(new Level(100, 1, 10), new Level(400, 3, 20), new Level(800, 3, 0));
    assertThat(machine.at(0).readByte()).isEqualTo(1);
    assertThat(machine.at(100).writtenByte()).isEqualTo(10);
    assertThat(machine.at(200).readByte()).isCloseTo(2, within(1e-9));
    assertThat(machine.at(200).writtenByte()).isCloseTo(15, within(1e-9));
    assertThat(machine.at(400).readByte()).isCloseTo(3, within(1e-9));
    assertThat(machine.at(1 << 30).writtenByte()).isZero();
  }

  @Test
  void whatIsNoCostIsRefused() {
    assertThat(Errors.message(ErrorCode.INVALID_ARGUMENT, () -> of()))
        .isEqualTo("a machine model must have at least one level");
    assertThat(
            Errors.message(
                ErrorCode.INVALID_ARGUMENT, () -> of(new Level(2, 1, 1), new Level(2, 1, 1))))
        .isEqualTo("the bytes of levels must ascend. Actual: 2 after 2");
    assertThat(Errors.message(ErrorCode.INVALID_ARGUMENT, () -> new Level(0, 1, 1)))
        .startsWith("a level must have 1 byte or more");
    Errors.message(ErrorCode.INVALID_ARGUMENT, () -> new Level(1, Double.NaN, 1));
    Errors.message(ErrorCode.INVALID_ARGUMENT, () -> new Level(1, 1, Double.POSITIVE_INFINITY));
    assertThat(
            Errors.message(
                ErrorCode.INVALID_ARGUMENT,
                () -> new MachineModel(1, -1, 1, 1, 1, 1, 1, 1, 1, 1, List.of(new Level(1, 1, 1)))))
        .isEqualTo("costs must be finite and 0 or more. Actual: -1.0");
  }
}
