/*
 * The floor of an all-reduce of 64 MiB at two ranks: two pinned threads that only add two vectors of float32 and stream each sum
 * into both outputs. Prints the least and the median microseconds.
 *
 *   cc -O3 -march=native -pthread -o sum-floor docs/sum-floor.c && ./sum-floor [RUNS]
 */
#define _GNU_SOURCE
#include <immintrin.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

#define BYTES (64L << 20)
#define HUGE (2L << 20)

static float *memory[4]; /* two inputs, two outputs */
static double *micros;
static int runs;
static pthread_barrier_t barrier;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e6 + time.tv_nsec / 1e3;
}

static void *add(void *argument) {
  long half = (long)argument, count = BYTES / 4, to = (half + 1) * count / 2;
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  CPU_SET(half, &cpus);
  pthread_setaffinity_np(pthread_self(), sizeof cpus, &cpus);
  for (int run = 0; run < runs; run++) {
    pthread_barrier_wait(&barrier);
    double start = now();
    for (long i = half * count / 2; i < to; i += 16) {
      for (int part = 0; part < 16; part += 8) {
        __m256 sum = _mm256_add_ps(_mm256_load_ps(memory[0] + i + part), _mm256_load_ps(memory[1] + i + part));
        _mm256_stream_ps(memory[2] + i + part, sum);
        _mm256_stream_ps(memory[3] + i + part, sum);
      }
    }
    _mm_sfence();
    pthread_barrier_wait(&barrier);
    if (half == 0) micros[run] = now() - start;
  }
  return NULL;
}

static int compare(const void *a, const void *b) {
  double difference = *(const double *)a - *(const double *)b;
  return difference < 0 ? -1 : difference > 0;
}

int main(int count, char **arguments) {
  pthread_t threads[2];
  runs = count > 1 ? atoi(arguments[1]) : 100;
  if (runs < 1) {
    fprintf(stderr, "RUNS must be 1 or more\n");
    return 2;
  }
  micros = malloc(runs * sizeof *micros);
  for (int i = 0; i < 4; i++) {
    char *room = mmap(NULL, BYTES + HUGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED) {
      perror("mmap");
      return 1;
    }
    memory[i] = (float *)(((size_t)room + HUGE - 1) & ~(HUGE - 1));
    madvise(memory[i], BYTES, MADV_HUGEPAGE);
    for (long k = 0; k < BYTES / 4; k++) memory[i][k] = i < 2 ? rand() % 1000 : 0;
  }
  pthread_barrier_init(&barrier, NULL, 2);
  for (long i = 0; i < 2; i++) pthread_create(&threads[i], NULL, add, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  qsort(micros, runs, sizeof *micros, compare);
  printf("min %.0f us, median %.0f us\n", micros[0], micros[runs / 2]);
  return 0;
}
