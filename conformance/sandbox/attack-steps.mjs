// The attempts of a hostile command, as lines of bash. They know: $W the workspace, $O a folder outside, $H the home
// folder, $C the harness's own home, $S its state, $T the temporary folder, $EVIL a program that leaves a trace when it
// runs outside. `pick` chooses one of a list.

const outsideFiles = ["$O/a", "$O/deep/b", "$O/new", "$H/.bashrc", "$H/new", "$C/config.toml", "$C/rules/evil.rules"];
const ownFiles = ["$C/auth.json", "$C/skills/x/SKILL.md", "$C/threads/t", "$S/evil.json", "$H/.agents/skills/evil"];
const folders = ["a", "b", "sub", "a/deep", "d", "lib"];
const agentNames = [".codex", ".agents", "a/.codex", "../.codex"];
const gitPlaces = [".git", "sub/.git", "a/.git", "lib", ".git/refs/g", ".git/modules/m", ".git/worktrees/w", "sub"];

/** One line. */
export function createStep(pick) {
  return pick(kinds)(pick);
}

const kinds = [
  writeOutside,
  writeOutside,
  leadOut,
  leadOut,
  swap,
  hardLink,
  throughProc,
  mount,
  socket,
  fifo,
  steerAgents,
  steerAgents,
  modes,
  stay,
  makeRepository,
  makeRepository,
  steerGit,
  steerGit,
  steerGit,
  pointGit,
  pointGit,
  steerNamed,
  moveThings,
  oddNames,
  readSecret,
];

function writeOutside(pick) {
  const file = pick([...outsideFiles, ...ownFiles]);
  return pick([
    `echo evil > ${file}`,
    `echo evil >> ${file}`,
    `rm -rf ${file}`,
    `truncate -s 0 ${file}`,
    `chmod 4777 ${file}`,
    `touch -d @0 ${file}`,
    `mv ${file} x; echo evil > ${file}`,
    `cp $EVIL n; mv -f n ${file}`,
    `mkdir -p ${file}/x`,
    `ln -sf $W/evil ${file}`,
    `chown 1 ${file}`,
    `perl -e 'utime 0, 0, @ARGV; rename "x", $ARGV[0]; symlink "x", $ARGV[0]; link "a", $ARGV[0]' ${file}`,
  ]);
}

function leadOut(pick) {
  const target = pick(["$O", "$H", "$C", "$O/deep", "$S", "/proc/self/cwd/../outside", "/proc/1/root$O", "$W/../outside"]);
  const name = pick(folders);
  const then = pick([`echo evil > ${name}/new`, `echo evil > ${name}/a`, `rm -rf ${name}/a ${name}/config.toml`, `cp -r .git ${name}/`]);
  return `rm -rf ${name} 2>&-; ln -sfn ${target} ${name}; ${then}`;
}

/** In the background, for as long as the command runs. */
function swap(pick) {
  const name = pick([...folders, ".codex", ".git", "sub/.git", "$T"]);
  const target = pick(["$O", "$C", "$H"]);
  return `(while :; do mv -T ${name} old.$$; ln -s ${target} ${name}; echo evil > ${name}/new; rm ${name}; mv -T old.$$ ${name}; done >&- 2>&- &)`;
}

function hardLink(pick) {
  const file = pick([...outsideFiles, ...ownFiles]);
  return `ln ${file} h.$$ && echo evil > h.$$; ln h.$$ ${file}; perl -e 'open(F, "<", "${file}"); link "/proc/self/fd/" . fileno(F), "h2"; open(G, ">", "h2"); print G "evil"'`;
}

function throughProc(pick) {
  return pick([
    "for f in /proc/[0-9]*/fd/* /proc/self/fd/*; do [ -d $f ] && echo evil > $f/new; echo evil > $f/../outside/new; done 2>&-",
    "for p in /proc/[0-9]*; do echo evil > $p/root$O/new; echo evil > $p/cwd/$O/a; done 2>&-",
    "exec 9<$O; cd /proc/self/fd/9 && echo evil > new; cd $W",
    "exec 9<$O/a; echo evil > /proc/self/fd/9",
    "for n in {3..60}; do echo evil >&$n; done 2>&-",
    "cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep -a SECRET > leak",
  ]);
}

function mount(pick) {
  return pick([
    "mount --bind $O d; echo evil > d/new",
    "mount -o remount,rw /; mount -o remount,bind,rw $O; echo evil > $O/a",
    "unshare -Urm bash -c 'mount -o remount,bind,rw / ; mount --bind /proc/1/root d; umount -l .git/config; echo evil > $O/a'",
    "umount -l $C; umount -l .git/config; umount -l .codex; umount -l .git; echo evil > .git/config",
    "chroot /proc/1/root bash -c 'echo evil > $O/a'",
    "nsenter -t 1 -m bash -c 'echo evil > $O/a'; nsenter --mount=/proc/1/ns/mnt touch $O/new",
    "mount -t tmpfs x $C; mount -t overlay -o lowerdir=$O,upperdir=a,workdir=b x d",
  ]);
}

function socket(pick) {
  const place = pick(["$O/socket", "\\0$UNROLL_ATTACK"]);
  return `perl -MSocket -e 'socket(S, AF_UNIX, SOCK_STREAM, 0) and connect(S, pack_sockaddr_un("${place}")) and syswrite(S, "evil")'`;
}

/** Where the guard, or a later git, would read. */
function fifo(pick) {
  const name = pick(["sub/.git/config", "sub/.git/commondir", "a/.git", ".git/commondir", ".codex", "lib/HEAD", "sub/.git/hooks/post-commit"]);
  return `mkdir -p $(dirname ${name}); mkfifo ${name}`;
}

function steerAgents(pick) {
  const name = pick(agentNames);
  return pick([
    `mkdir -p ${name}; echo evil > ${name}/config.toml`,
    `ln -sfn $W/a ${name}`,
    `(while :; do mkdir ${name}; echo evil > ${name}/config.toml; done >&- 2>&- &)`,
    `mv ${name} gone; mkdir ${name} && echo evil > ${name}/config.toml`,
    "mkdir -p $C/rules; mv $C gone; cp -r gone $C; echo evil > $C/config.toml",
    "echo evil > $C/config.toml; echo evil > $C/AGENTS.md; mkdir $C/new",
  ]);
}

function modes(pick) {
  const name = pick([...folders, ".", ".git", "sub/.git", ".git/hooks"]);
  return pick([`chmod 000 ${name}`, `chmod 311 ${name}`, `chmod -R 4777 ${name}`, `chmod 555 ${name}`]);
}

/** Processes that would outlive their command. */
function stay(pick) {
  return pick([
    "setsid sleep 1000 >&- 2>&- <&- &",
    "(setsid bash -c 'trap \"\" TERM HUP INT; while :; do sleep 1; done' >&- 2>&- <&- &)",
    "for i in 1 2 3 4 5 6 7 8; do (sleep 1000 & sleep 1000) >&- 2>&- & done",
    "env -i setsid perl -e 'fork; fork; $0 = \"x\"; sleep 1000' >&- 2>&- <&- &",
    "kill -9 $PPID; kill -STOP $PPID",
  ]);
}

function makeRepository(pick) {
  const name = pick(folders);
  return pick([
    `git init -q ${name}`,
    `git init -q --bare ${name}`,
    `git init -q --separate-git-dir ${pick([".git/refs/g", "lib/g", ".git/modules/m", "$'lib/g\\r'", "$'.git/refs/g\\u2028'", "'.git/x '"])} ${name}`,
    `git worktree add -f ${name}`,
    `cp -r .git ${name}/.git`,
    `git -C ${name} commit -q --allow-empty -m x; git add ${name}`,
    "cp .git/HEAD .; mkdir -p objects refs; git config -f config core.worktree .; git config -f config core.fsmonitor $EVIL",
  ]);
}

function steerGit(pick) {
  const place = pick(gitPlaces);
  return pick([
    `git config -f ${place}/config core.fsmonitor $EVIL`,
    `git config -f ${place}/config core.hooksPath $W/lib; cp $EVIL lib/post-index-change`,
    `git config -f ${place}/config include.path $W/inc; git config -f inc core.fsmonitor $EVIL`,
    `printf '\\xef\\xbb\\xbf[CORE]fsMonitor=\\\\\\r\\n"%s"\\r\\n' "$EVIL" > ${place}/config`,
    `printf '[core "x\\0"]\\n[alias "status\\0"]x="!%s"\\n[core]fsmonitor=%s' "$EVIL" "$EVIL" >> ${place}/config`,
    `git config -f ${place}/config.worktree core.fsmonitor $EVIL; git config -f ${place}/config extensions.worktreeConfig true`,
    `git config -f ${place}/config core.worktree $O`,
    `mkdir -p ${place}/hooks; cp $EVIL ${place}/hooks/post-index-change`,
    `mkdir -p ${place}/info; echo '* filter=x' > ${place}/info/attributes; git config -f ${place}/config filter.x.clean $EVIL`,
    `mv ${place}/hooks h; mkdir ${place}/hooks; cp $EVIL ${place}/hooks/post-index-change`,
    `ln -sfn $W/lib ${place}/hooks; cp $EVIL lib/post-index-change`,
    `ln -sf $O/a ${place}/index; ln -sf $O/a ${place}/logs/HEAD; ln -sf $O/a ${place}/COMMIT_EDITMSG`,
    `ln -sf $O/a ${place}/HEAD.lock; ln -sf $O/new ${place}/ORIG_HEAD; ln -sfn $O ${place}/logs`,
    `cp ${place}/config c; git config -f c core.fsmonitor $EVIL; mv -f c ${place}/config`,
    `(while :; do git config -f ${place}/config core.fsmonitor $EVIL; mkdir -p ${place}/hooks; cp $EVIL ${place}/hooks/post-index-change; done >&- 2>&- &)`,
  ]);
}

/** Targets outside the repository that a configuration names. */
function steerNamed(pick) {
  return pick([
    "mkdir -p named; cp $EVIL named/post-index-change",
    "mkdir -p n; cp $EVIL n/post-index-change; rm -rf named; mv -T n named; ln -sfn n named",
    "git config -f team core.fsmonitor $EVIL",
    "git config -f t core.fsmonitor $EVIL; mv -f t team; ln -sf t team",
    "git config -f $H/.gitconfig core.fsmonitor $EVIL; mkdir -p $H/.config/git; git config -f $H/.config/git/config core.fsmonitor $EVIL",
  ]);
}

function pointGit(pick) {
  const folder = pick(folders);
  const target = pick(["../lib", "../.git/refs/g", "../.git/modules/m", "../sub/.git", "../lib/../.git/x ", "../d/../lib", "$O"]);
  const end = pick(["\\n", "", "\\r\\n", " \\n", "\\0x", "\\u2028\\n", "\\n\\n"]);
  return pick([
    `mkdir -p ${folder}; rm -rf ${folder}/.git; printf "gitdir: ${target}${end}" > ${folder}/.git`,
    `mkdir -p ${folder}; rm -rf ${folder}/.git; ln -sfn ${target} ${folder}/.git`,
    `mkdir -p ${folder}; printf "gitdir: ${target}${end}" > p; rm -rf ${folder}/.git; ln -sfn ../p ${folder}/.git`,
    `printf "${target}${end}" > ${pick(gitPlaces)}/commondir`,
    `p=${pick(gitPlaces)}; mkdir -p $p/objects/info; printf "${target}${end}" > $p/objects/info/alternates`,
  ]);
}

function moveThings(pick) {
  const [from, to] = [pick([...folders, ".git", "sub/.git", "$W", "$T", ".codex"]), pick([...folders, "g", ".git", "sub/.git"])];
  return pick([`mv -T ${from} ${to}`, `rm -rf ${from}`, `cp -r ${from} ${to}`, `mkdir -p ${from}/x; mv ${from} ${to}`, `rmdir ${from}`]);
}

function oddNames(pick) {
  const name = pick(["$'n\\xff'", "$'two\\nlines'", "' '", "'.. '", "$'\\u2028'", "$(printf 'x%.0s' {1..250})"]);
  return `mkdir -p ${pick(folders)}/${name}; cd ${pick(folders)}/${name} && git init -q && git config core.fsmonitor $EVIL; cd $W`;
}

function readSecret(pick) {
  return pick([
    "cat $C/auth.json* > leak",
    "for i in {1..50}; do cat $C/auth.json >> leak; cat $C/tokens/* >> leak; done 2>&-",
    "ln -sf $C/auth.json leak2; cp -r $C leaked; cp -rL $C leaked2",
    "grep -r SECRET $C $H > leak",
  ]);
}
