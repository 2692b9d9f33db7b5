package dev.tutti.host.rank;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.host.job.BodyWriter;
import dev.tutti.host.job.JobMessage;
import org.junit.jupiter.api.Test;

/** A body that is too large for a message is refused before it ends the connection. */
final class CaptureAgreementTest {

  @Test
  void whatIsTooLargeForAMessageIsRefused() {
    int length = 4;
    BodyWriter body = new BodyWriter().part(new byte[JobMessage.MAX_BODY - length]);
    CaptureAgreement.requireRoom(body);
    body.number(1);
    assertThatThrownBy(() -> CaptureAgreement.requireRoom(body))
        .hasMessage(
            "the messages between processes about a capture can have at most 67108864 bytes;"
                + " capture fewer operations at once. Actual: 67108872 bytes");
  }
}
