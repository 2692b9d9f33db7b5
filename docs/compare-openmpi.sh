#!/usr/bin/env bash
# Compares all-reduce (float32 sum) with Open MPI on this machine, in turns: ours, theirs, ours, theirs …
#
#   docs/compare-openmpi.sh COMMAND [ROUNDS] [RANKS ...]
#
# COMMAND RANKS allreduce --min BYTES --max BYTES prints Open MPI's times as CSV with the columns
# operation,ranks,bytes,iterations,min_us,median_us,p95_us. For each number of ranks and size this prints the median of
# both medians over the rounds, the median of the ratios of each pair, and their range.
set -euo pipefail
command=${1:?usage: compare-openmpi.sh COMMAND [ROUNDS] [RANKS ...]}
rounds=${2:-5}
shift $(($# > 1 ? 2 : 1))
ranks=("$@")
(($# > 0)) || ranks=(2 4)
root=$(cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/.." && pwd)

ours() { # ranks bytes
  "$root/tutti" bench allreduce --algorithm direct --ranks "$1" --sizes "$2" --place out --no-b2b --json 2>/dev/null |
    sed -n 's/.*"medianMicros":\([0-9.E-]*\).*/\1/p'
}

theirs() { # ranks bytes
  "$command" "$1" allreduce --min "$2" --max "$2" 2>/dev/null | awk -F, '$1 == "allreduce" { print $6 }'
}

printf '%5s %9s %12s %12s %8s %15s\n' ranks bytes ours_us theirs_us ratio range
for n in "${ranks[@]}"; do
  for bytes in 8 4096 2097152 67108864; do
    for ((round = 0; round < rounds; round++)); do
      echo "$(ours "$n" "$bytes") $(theirs "$n" "$bytes")"
    done | awk -v n="$n" -v bytes="$bytes" '
      NF == 2 { a[++count] = $1; b[count] = $2; r[count] = $2 / $1 }
      function median(v, size,   i, j, t) {
        for (i = 2; i <= size; i++) for (j = i; j > 1 && v[j - 1] > v[j]; j--) { t = v[j]; v[j] = v[j - 1]; v[j - 1] = t }
        return size % 2 ? v[(size + 1) / 2] : (v[size / 2] + v[size / 2 + 1]) / 2
      }
      END {
        if (count == 0) { print "no measurement succeeded" > "/dev/stderr"; exit 1 }
        ratio = median(r, count)
        printf "%5d %9d %12.3f %12.3f %8.2f %7.2f–%.2f\n", n, bytes, median(a, count), median(b, count), ratio, r[1], r[count]
      }'
  done
done
