/*
 * The floor of an all-reduce of float32 between two machines: two processes that send each other one half of their inputs and add up
 * the other half, then send each other their sums, in pieces of which some are on their way at the same time. Up to 64 bytes, they send
 * each other the whole inputs once. Prints the median microseconds of the slower process, in turns with MPI_Allreduce.
 *
 *   mpicc -O3 -march=native -o exchange-floor docs/exchange-floor.c
 *   mpirun -n 2 --host node1,node2 --mca btl tcp,self ./exchange-floor BYTES PIECE PIECES RUNS
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_PIECES = 64, SHORT = 64 };

static int peer;

/* Sends and receives pieces; adds what arrives to own, if there is one, in sums. */
static void exchange(const char *sent, char *received, const float *own, float *sums, long bytes, long piece, int ahead) {
  MPI_Request sends[MOST_PIECES], receives[MOST_PIECES];
  long pieces = (bytes + piece - 1) / piece;
  for (long i = 0; i < pieces + ahead; i++) {
    long done = (i - ahead) * piece;
    if (i >= ahead && done < bytes) {
      MPI_Wait(receives + i % ahead, MPI_STATUS_IGNORE);
      MPI_Wait(sends + i % ahead, MPI_STATUS_IGNORE);
      long end = done + piece < bytes ? done + piece : bytes;
      const float *arrived = (const float *)(received + done) - done / 4;
      for (long at = done / 4; own && at < end / 4; at++) sums[at] = own[at] + arrived[at];
    }
    if (i < pieces) {
      long length = bytes - i * piece < piece ? bytes - i * piece : piece;
      MPI_Irecv(received + i * piece, length, MPI_BYTE, peer, 1, MPI_COMM_WORLD, receives + i % ahead);
      MPI_Isend(sent + i * piece, length, MPI_BYTE, peer, 1, MPI_COMM_WORLD, sends + i % ahead);
    }
  }
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(int count, char **words) {
  MPI_Init(&count, &words);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  long bytes = count == 5 ? atol(words[1]) : 0, piece = count == 5 ? atol(words[2]) : 0;
  int ahead = count == 5 ? atoi(words[3]) : 0, runs = count == 5 ? atoi(words[4]) : 0;
  if (ranks != 2 || bytes < 8 || bytes % 8 || piece < 4 || piece % 4 || ahead < 1 || ahead > MOST_PIECES || runs < 1) {
    if (rank == 0) fprintf(stderr, "needs 2 processes, and BYTES (a multiple of 8), PIECE (of 4), PIECES (1 to 64), RUNS\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  peer = 1 - rank;
  char *in = calloc(1, bytes), *out = calloc(1, bytes), *other = calloc(1, bytes);
  double *micros = calloc(runs, sizeof *micros);
  long half = bytes / 2, mine = rank * half, theirs = peer * half;
  for (int turn = 0; turn < 6; turn++) {
    for (int run = 0; run < runs; run++) {
      MPI_Barrier(MPI_COMM_WORLD);
      double start = MPI_Wtime();
      if (turn % 2 == 0) {
        MPI_Allreduce(in, out, bytes / 4, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
      } else if (bytes <= SHORT) {
        exchange(in, other, (float *)in, (float *)out, bytes, bytes, 1);
      } else {
        exchange(in + theirs, other, (float *)(in + mine), (float *)(out + mine), half, piece, ahead);
        exchange(out + mine, out + theirs, NULL, NULL, half, piece, ahead);
      }
      double took = (MPI_Wtime() - start) * 1e6;
      MPI_Allreduce(&took, micros + run, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
    qsort(micros, runs, sizeof *micros, compare);
    if (rank == 0) printf("%-13s %.1f\n", turn % 2 ? "exchange" : "MPI_Allreduce", micros[runs / 2]);
  }
  MPI_Finalize();
}
