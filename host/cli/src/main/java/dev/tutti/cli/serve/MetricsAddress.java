package dev.tutti.cli.serve;

import dev.tutti.base.text.Sentence;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The address of the metrics.
 *
 * @param socket the address; by default on 127.0.0.1, which only this machine can reach
 */
record MetricsAddress(InetSocketAddress socket) {

  private static final Pattern FORM =
      Pattern.compile("(?:(?<host>\\[[^\\]]+\\]|[^:\\[\\]]+):)?(?<port>\\d{1,5})");
  private static final int MAX_PORT = 65535;

  /** Reads {@code 9464}, {@code 0.0.0.0:9464} and {@code [::1]:9464}. */
  static final class Converter implements ITypeConverter<MetricsAddress> {

    @Override
    public MetricsAddress convert(String text) {
      Matcher form = FORM.matcher(text);
      if (!form.matches() || Integer.parseInt(form.group("port")) > MAX_PORT) {
        throw new TypeConversionException(
            Sentence.of(
                "'%s' is not a port from 0 to %d, or host:port, such as 9464 or 0.0.0.0:9464",
                text, MAX_PORT));
      }
      String host = form.group("host");
      try {
        InetAddress address = InetAddress.getByName(host == null ? "127.0.0.1" : host);
        return new MetricsAddress(
            new InetSocketAddress(address, Integer.parseInt(form.group("port"))));
      } catch (UnknownHostException e) {
        throw new TypeConversionException(Sentence.of("there is no host '%s'", host));
      }
    }
  }
}
