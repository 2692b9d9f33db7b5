package dev.tutti.verifier.gate;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/** Code that never ends or uses all memory, each class in another way. */
public final class GateSamples {

  /** Ends {@link Waiting}. */
  public static final AtomicBoolean IS_RELEASED = new AtomicBoolean();

  private GateSamples() {}

  public static final class Loop implements Callable<Object> {
    @Override
    public Object call() {
      int turns = 0;
      while (true) {
        turns++;
      }
    }
  }

  public static final class LoopThatCatchesEverything implements Callable<Object> {
    @Override
    public Object call() {
      while (true) {
        try {
          while (true) {
            Thread.onSpinWait();
          }
        } catch (Throwable t) {
          Thread.interrupted();
        } finally {
          Thread.interrupted();
        }
      }
    }
  }

  public static final class Recursion implements Callable<Object> {
    @Override
    public Object call() {
      return depth(0);
    }

    @SuppressWarnings("InfiniteRecursion") // that is what it is about
    private int depth(int depth) {
      try {
        return depth(depth + 1);
      } catch (Throwable t) {
        return depth(depth + 1) + depth(depth + 2);
      }
    }
  }

  public static final class Synchronized implements Callable<Object> {
    private int turns;

    @Override
    public Object call() {
      for (; ; turns = Math.abs(turns)) {
        synchronized (this) {
          try {
            turns++;
          } catch (Throwable t) {
            turns = 0;
          } finally {
            turns--;
          }
        }
      }
    }
  }

  public static final class Lambdas implements Callable<Object> {
    @Override
    public Object call() {
      return Stream.iterate(1, i -> -i)
          .map(
              i -> {
                try {
                  return i + 1;
                } catch (Throwable t) {
                  return 0;
                }
              })
          .filter(i -> i > 10)
          .findFirst();
    }
  }

  public static final class References implements Callable<Object> {
    @Override
    public Object call() {
      return Stream.generate(Object::new).map(Object::hashCode).mapToInt(Integer::intValue).sum();
    }
  }

  public static final class Switches implements Callable<Object> {
    @Override
    public Object call() {
      int state = 0;
      do {
        switch (state) {
          case 0:
            state = 1;
            continue;
          case 1:
            state = 2;
            continue;
          default:
            state = 0;
        }
      } while (state < 3);
      return state;
    }
  }

  public static final class Threads implements Callable<Object> {
    @Override
    public Object call() throws InterruptedException {
      Thread other = new Thread(() -> new Loop().call());
      other.start();
      while (other.isAlive()) {
        try {
          other.join();
        } catch (InterruptedException e) {
          Thread.onSpinWait();
        }
      }
      return other;
    }
  }

  public static final class StaticInitialiser implements Callable<Object> {
    public static final class Held {
      static final Object VALUE = new Loop().call();
    }

    @Override
    public Object call() {
      return Held.VALUE;
    }
  }

  public static final class Waiting implements Callable<Object> {
    @Override
    public Object call() {
      while (!IS_RELEASED.get()) {
        Thread.onSpinWait();
      }
      return "released";
    }
  }

  public static final class Chunks implements Callable<Object> {
    @Override
    public Object call() {
      List<byte[]> held = new ArrayList<>();
      while (true) {
        try {
          held.add(new byte[1 << 16]);
        } catch (Throwable t) {
          held.add(new byte[1]);
        }
      }
    }
  }

  public static final class TooLarge implements Callable<Object> {
    @Override
    public Object call() {
      List<Object> held = new ArrayList<>();
      while (true) {
        try {
          held.add(new long[Integer.MAX_VALUE]);
        } catch (OutOfMemoryError e) {
          held.add("");
        }
      }
    }
  }

  public static final class Doubling implements Callable<Object> {
    @Override
    public Object call() {
      String text = "ab";
      while (true) {
        try {
          text += text;
        } catch (Error e) {
          text = "ab";
        }
      }
    }
  }

  public static final class ReferenceHog implements Callable<Object> {
    @Override
    public Object call() {
      List<Object> held = new ArrayList<>();
      Stream.generate(Object::new).forEach(held::add);
      return held;
    }
  }

  public static final class Endless extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @Override
    public String getMessage() {
      while (true) {
        Thread.onSpinWait();
      }
    }
  }

  public static final class ThrowsEndless implements Callable<Object> {
    @Override
    public Object call() {
      throw new Endless();
    }
  }

  /** Holds so much memory that garbage collection never ends, but never quite runs out. */
  public static final class NearlyAll implements Callable<Object> {
    @Override
    public Object call() {
      List<byte[]> held = new ArrayList<>();
      Runtime runtime = Runtime.getRuntime();
      byte[] garbage = new byte[0];
      while (garbage.length < held.size() + 16_000) {
        boolean hasRoom =
            runtime.maxMemory() - runtime.totalMemory() + runtime.freeMemory()
                > runtime.maxMemory() / 8;
        garbage = new byte[10_000];
        if (hasRoom) {
          held.add(garbage);
        }
      }
      return held;
    }
  }
}
