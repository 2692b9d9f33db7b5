#!/usr/bin/env bash
# Compares all-reduce (float32 sum) with Open MPI on this machine, in turns: ours, theirs, ours, theirs …
#
#   docs/compare-openmpi.sh [--callers WHO[,WHO ...]] COMMAND [ROUNDS] [RANKS ...]
#
# WHO makes our calls, as in 'tutti bench --callers': one (default), threads or virtual; or processes, a process for each rank;
# or private, the same with memory that others cannot reach. With several of them each takes its turn before theirs. COMMAND RANKS allreduce --min BYTES --max BYTES prints Open MPI's times as CSV with the columns
# operation,ranks,bytes,iterations,min_us,median_us,p95_us. For each number of ranks, size and kind of callers this prints the
# median of both medians over the rounds, the median of the ratios of each pair, and their range.
set -euo pipefail
callers=one
if [ "${1:-}" = --callers ]; then
  callers=${2:?--callers takes a value: one, threads or virtual, or several with commas}
  shift 2
fi
command=${1:?usage: compare-openmpi.sh [--callers WHO[,WHO ...]] COMMAND [ROUNDS] [RANKS ...]}
rounds=${2:-5}
shift $(($# > 1 ? 2 : 1))
ranks=("$@")
(($# > 0)) || ranks=(2 4)
root=$(cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/.." && pwd)

ours() { # callers ranks bytes
  local how=(--callers "$1")
  case $1 in
    processes) how=(--processes) ;;
    private)
      how=(--processes --memory native)
      (($3 < 262144)) || how+=(--mode op-base) # what a program gets that asks for nothing
      ;;
  esac
  "$root/tutti" bench allreduce "${how[@]}" --algorithm direct --ranks "$2" --sizes "$3" --place out --no-b2b --json 2>/dev/null |
    sed -n 's/.*"medianMicros":\([0-9.E-]*\).*/\1/p'
}

theirs() { # ranks bytes
  "$command" "$1" allreduce --min "$2" --max "$2" 2>/dev/null | awk -F, '$1 == "allreduce" { print $6 }'
}

printf '%5s %9s %9s %12s %12s %8s %15s\n' ranks bytes callers ours_us theirs_us ratio range
for n in "${ranks[@]}"; do
  for bytes in 8 4096 2097152 67108864; do
    for ((round = 0; round < rounds; round++)); do
      times=()
      for who in ${callers//,/ }; do times+=("$who $(ours "$who" "$n" "$bytes")"); done
      other=$(theirs "$n" "$bytes")
      printf "%s $other\n" "${times[@]}"
    done | awk -v n="$n" -v bytes="$bytes" -v callers="$callers" '
      NF == 3 { k = ++counts[$1]; ours[$1, k] = $2; theirs[$1, k] = $3 }
      function median(v, size,   i, j, t) {
        for (i = 2; i <= size; i++) for (j = i; j > 1 && v[j - 1] > v[j]; j--) { t = v[j]; v[j] = v[j - 1]; v[j - 1] = t }
        return size % 2 ? v[(size + 1) / 2] : (v[size / 2] + v[size / 2 + 1]) / 2
      }
      END {
        kinds = split(callers, kind, ",")
        for (i = 1; i <= kinds; i++) {
          who = kind[i]
          count = counts[who]
          if (count == 0) { print "no measurement succeeded" > "/dev/stderr"; exit 1 }
          for (k = 1; k <= count; k++) { a[k] = ours[who, k]; b[k] = theirs[who, k]; r[k] = b[k] / a[k] }
          ratio = median(r, count)
          printf "%5d %9d %9s %12.3f %12.3f %8.2f %7.2f–%.2f\n", n, bytes, who, median(a, count), median(b, count), ratio, r[1], r[count]
        }
      }'
  done
done
