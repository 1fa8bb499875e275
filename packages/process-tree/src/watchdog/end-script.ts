/**
 * A shell script that ends the processes of a harness that is gone. `$0`: their mark, which finds
 * those that left their group; `$1`: the seconds from SIGTERM to SIGKILL; from `$2` on: living
 * processes and groups, as for kill(2) (a negative number is a group). It continues until three
 * searches in turn have found nothing, and no process that is running exec and has no environment
 * yet: fields 3, 9 and 50 of proc_pid_stat(5), if we may read them.
 */
export const endScript = `
grace=$1
shift
signal_targets() {
  for target in $targets; do kill "-$1" "$target"; done
}
signal_marked() {
  marked=$(grep -laF "$0" /proc/[0-9]*/environ)
  for file in $marked; do
    file=\${file#/proc/}
    kill "-$1" "\${file%/environ}"
  done
}
is_any_becoming() {
  for stat in /proc/[0-9]*/stat; do
    read -r line <"$stat" || continue
    set -- \${line##*) }
    if [ "$1" = Z ] || [ "$1" = X ] || [ "\${48}" != 0 ] || [ $(($7 & 0x200000)) != 0 ]; then continue; fi
    if true <"\${stat%stat}environ"; then return 0; fi
  done
  return 1
}
targets=$*
if [ "$grace" != 0 ]; then
  signal_targets TERM
  signal_marked TERM
  sleep "$grace"
fi
signal_targets KILL
rounds=0
clean=0
while [ $clean -lt 3 ] && [ $rounds -lt 200 ]; do
  rounds=$((rounds + 1))
  clean=$((clean + 1))
  if is_any_becoming; then clean=0; fi
  signal_marked KILL
  if [ "$marked" ]; then clean=0; fi
  if [ $clean = 0 ] && [ $rounds -gt 3 ]; then sleep 0.05; fi
done`;
