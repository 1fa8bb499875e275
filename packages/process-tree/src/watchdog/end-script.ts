/**
 * Ends what a harness left that is gone: a shell script. `$0`: what marks its processes, to find those that left their group;
 * `$1`: the seconds from SIGTERM to SIGKILL; from `$2` on: the living groups.
 */
export const endScript = `
grace=$1
shift
signal_groups() {
  for group in $groups; do kill "-$1" "-$group"; done
}
signal_marked() {
  for file in $(grep -laF "$0" /proc/[0-9]*/environ); do
    file=\${file#/proc/}
    kill "-$1" "\${file%/environ}"
  done
}
groups=$*
if [ "$grace" != 0 ]; then
  signal_groups TERM
  signal_marked TERM
  sleep "$grace"
fi
signal_groups KILL
for round in 1 2 3; do signal_marked KILL; done`;
