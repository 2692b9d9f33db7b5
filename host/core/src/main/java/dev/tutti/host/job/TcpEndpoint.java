package dev.tutti.host.job;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A TCP port of rank 0's machine. Processes of any machine can connect. Each must know the token of
 * the job, which rank 0 has sent to all processes in another way.
 */
final class TcpEndpoint implements JobEndpoint {

  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final List<String> addresses;
  private final int port;
  private final @Nullable ServerSocketChannel server;

  private TcpEndpoint(List<String> addresses, int port, @Nullable ServerSocketChannel server) {
    this.addresses = List.copyOf(addresses);
    this.port = port;
    this.server = server;
  }

  /** Listens on a free port of this machine. */
  static TcpEndpoint here() throws IOException {
    ServerSocketChannel server = ServerSocketChannel.open();
    try {
      server.bind(null);
      int port = ((InetSocketAddress) server.getLocalAddress()).getPort();
      return new TcpEndpoint(addressesOfThisMachine(), port, server);
    } catch (IOException e) {
      server.close();
      throw e;
    }
  }

  /** Reads what {@link #write} has written. */
  static TcpEndpoint read(BodyReader body) {
    int port = body.count();
    List<String> addresses = new ArrayList<>();
    while (body.hasMore()) {
      addresses.add(body.text());
    }
    return new TcpEndpoint(addresses, port, null);
  }

  /** Writes the addresses and the port. */
  void write(BodyWriter body) {
    body.number(port);
    addresses.forEach(body::text);
  }

  private static List<String> addressesOfThisMachine() throws IOException {
    return addresses(Collections.list(NetworkInterface.getNetworkInterfaces()));
  }

  /**
   * The addresses of interfaces that are up; the loopback address, which other machines cannot use,
   * is last.
   */
  static List<String> addresses(List<NetworkInterface> interfaces) {
    List<InetAddress> all = new ArrayList<>();
    for (NetworkInterface each : interfaces) {
      try {
        if (each.isUp() && !each.isLoopback()) {
          Collections.list(each.getInetAddresses()).stream()
              .filter(address -> !address.isLinkLocalAddress())
              .forEach(all::add);
        }
      } catch (SocketException e) {
        // It has been removed since it was listed, as that of a container is when it ends.
      }
    }
    all.add(InetAddress.getLoopbackAddress());
    return all.stream().map(InetAddress::getHostAddress).toList();
  }

  @Override
  public ServerSocketChannel listen() throws IOException {
    if (server == null) {
      throw new IOException("rank 0 listens in another process");
    }
    return server;
  }

  @Override
  public SocketChannel connect() throws IOException {
    IOException last = new IOException("rank 0 has no address");
    for (String address : addresses) {
      SocketChannel channel = SocketChannel.open();
      try {
        channel
            .socket()
            .connect(
                new InetSocketAddress(InetAddress.getByName(address), port),
                (int) PATIENCE.toMillis());
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        return channel;
      } catch (IOException e) {
        channel.close();
        last = e;
      }
    }
    throw last;
  }

  @Override
  public void check(SocketChannel channel) throws IOException {
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
  }

  @Override
  public void cleanUp() {}

  @Override
  public String toString() {
    return addresses.stream().collect(Collectors.joining(", ", "port " + port + " of ", ""));
  }
}
