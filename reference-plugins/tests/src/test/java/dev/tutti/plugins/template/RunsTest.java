package dev.tutti.plugins.template;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.TransportMemType;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunsTest {

  private static DeviceMem span(TransportMemType type, long offset, long size) {
    return new DeviceMem(0, type, offset, size);
  }

  @Test
  void neighboursBecomeOneSpan() {
    List<DeviceMem> spans =
        List.of(
            span(TransportMemType.SCRATCH, 8, 4),
            span(TransportMemType.SCRATCH, 12, 4),
            span(TransportMemType.PARAM_INPUT, 16, 4),
            span(TransportMemType.PARAM_INPUT, 12, 4));

    assertThat(Runs.merge(spans))
        .containsExactly(
            span(TransportMemType.SCRATCH, 8, 8),
            span(TransportMemType.PARAM_INPUT, 16, 4),
            span(TransportMemType.PARAM_INPUT, 12, 4));
  }
}
