package dev.tutti.cli.control;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** Serves one client of a host: says hello, reads one request, and sends its output. */
final class ControlConnection {

  private final LineChannel lines;
  private final ControlLimits limits;
  private final Messages messages = new Messages();
  private final CountDownLatch end = new CountDownLatch(1);

  ControlConnection(LineChannel lines, ControlLimits limits) {
    this.lines = lines;
    this.limits = limits;
  }

  /** Serves the client and closes the connection. */
  void serve(long pid, ControlHandler handler) {
    try (lines) {
      send(new Answer.Hello(pid));
      send(answer(handler));
    } catch (IOException | ClientGoneException e) {
      // The client left, or was cut off, so there is no one to inform.
    } catch (RejectedExecutionException e) {
      // The server has ended, and its timer with it.
    } finally {
      end.countDown();
    }
  }

  private Answer answer(ControlHandler handler) throws IOException {
    ControlRequest request;
    try {
      String line = lines.readLine(limits.request());
      if (line == null) {
        throw new IOException("the client sent no request");
      }
      request = messages.readRequest(line);
    } catch (ProtocolException e) {
      return new Answer.Refused("the request cannot be understood: " + e.getMessage());
    }
    try {
      return new Answer.Exit(handle(handler, request));
    } catch (ClientGoneException e) {
      throw e;
    } catch (RuntimeException | Error e) {
      // Report only the class: a plugin may override the other methods, and they may never return.
      return new Answer.Refused(
          "the host could not finish the command, please report it: " + e.getClass().getName());
    }
  }

  private int handle(ControlHandler handler, ControlRequest request) {
    PrintWriter out = new PrintWriter(new AnswerWriter(text -> print(new Answer.Out(text))), true);
    PrintWriter err = new PrintWriter(new AnswerWriter(text -> print(new Answer.Err(text))), true);
    int exitCode = handler.handle(request, out, err);
    out.close();
    err.close();
    return exitCode;
  }

  private void print(Answer answer) {
    try {
      send(answer);
    } catch (IOException e) {
      throw new ClientGoneException(e);
    }
  }

  /** Sends one line at a time, because results and problems may come from different threads. */
  private synchronized void send(Answer answer) throws IOException {
    lines.writeLine(messages.write(answer), limits.answer());
  }

  /** Waits for the end of the command; returns whether it has ended. */
  boolean awaitEnd(long time, TimeUnit unit) {
    try {
      return end.await(time, unit);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Closes the connection, even while a thread uses it. */
  void cutOff() {
    try {
      lines.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
