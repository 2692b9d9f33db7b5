package dev.tutti.cli.control;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A host that, on request, opens as many files as its process may, and closes them. */
final class FilelessHost {

  private FilelessHost() {}

  public static void main(String[] args) throws IOException {
    BufferedReader orders =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    List<RandomAccessFile> files = new ArrayList<>();
    try (ControlServer server =
        ControlServer.open(Path.of(args[0]), (request, out, err) -> request.arguments().size())) {
      say("serving");
      while (server.pid() > 0) {
        String order = orders.readLine();
        if (order == null) {
          return;
        }
        if (order.startsWith("take")) {
          take(files);
          say("taken");
        } else {
          for (RandomAccessFile each : files) {
            each.close();
          }
          files.clear();
          say("given");
        }
      }
    }
  }

  private static void take(List<RandomAccessFile> files) {
    while (true) {
      try {
        files.add(new RandomAccessFile("/dev/null", "r"));
      } catch (IOException e) {
        return;
      }
    }
  }

  private static void say(String what) {
    System.out.println(what);
    System.out.flush();
  }
}
