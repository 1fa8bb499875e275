import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { judgeCommand, mergeRules, parseRules } from "@unroll/exec-policy";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";

const bash = "/bin/bash";
const folder = mkdtempSync(join(tmpdir(), "unroll-hidden-program-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Plays each script in a Bash of its own, and prints the numbers of those that started `danger`. */
const player = String.raw`
number=0
while IFS= read -r -d '' script; do
  rm -f "$MARK"
  timeout -k 1 5 ${bash} --norc --noprofile -c "$script" player one two </dev/null >/dev/null 2>&1
  [ -e "$MARK" ] && printf '%s ' "$number"
  number=$((number + 1))
done
`;

function play(scripts: readonly string[]): readonly string[] {
  const mark = join(folder, "mark");
  const work = join(folder, "work");
  const bin = join(folder, "bin");
  for (const path of [work, bin]) mkdirSync(path, { recursive: true });
  writeFileSync(join(bin, "danger"), `#!/bin/sh\n: > '${mark}'\n`, { mode: 0o755 });
  const env = { PATH: `${bin}:/usr/bin:/bin`, HOME: work, MARK: mark, LC_ALL: "C", GIT_CONFIG_NOSYSTEM: "1" };
  const repository = "git init -q . && echo a > a && git add a && echo b > a";
  spawnSync(bash, ["--norc", "-c", repository], { cwd: work, env });
  const run = spawnSync(bash, ["--norc", "--noprofile", "-c", player], {
    cwd: work,
    env,
    input: scripts.map((script) => `${script}\0`).join(""),
    encoding: "utf8",
    timeout: 280_000,
  });
  const numbers = run.stdout.split(" ").slice(0, -1);
  return numbers.map((number) => scripts[Number(number)] ?? "");
}

const parsed = parseRules('prefix_rule(pattern=["danger"], decision="forbidden")', "hidden.rules");
const rules = parsed.type === "rules.parsed" ? parsed.rules : mergeRules([]);

/** Whether the rule does not count against a script. */
function passes(script: string): boolean {
  const { source } = judgeCommand({ argv: ["bash", "-c", script] }, rules, { cwd: folder, home: null });
  return source.type !== "rule.suspected" && source.type !== "rule.matched";
}

const single = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
const double = (text: string): string => `"${text.replaceAll(/["$`\\]/g, String.raw`\$&`)}"`;
const quoted = (texts: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(texts, fc.constantFrom(single, single, double)).map(([text, quote]) => quote(text));
const oneOf = (lines: string): fc.Arbitrary<string> => fc.constantFrom(...lines.split("\n"));

/** Frames, one a line, with a text instead of each `@`. */
const fill = (lines: string, texts: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(oneOf(lines), texts).map(([frame, text]) => frame.replaceAll("@", () => text));

/** Spellings of `danger`. */
const names = fc.oneof(
  oneOf(String.raw`danger
dan"ger"
d\anger
'danger'
$'danger'
$'\x64anger'
dan$()ger
{danger,x}
$(echo danger)
../bin/danger
../bin/d*r
"$(command -v danger)"`),
  fc.constantFrom("${unset:-danger}", "dan${unset}ger"),
);

const codes = fc.oneof(
  names,
  fill(
    String.raw`@ x
A=1 @
command @
exec @
builtin command @
env @
env -u A @
nice -n 1 @
timeout 4 @
xargs @ </dev/null
find . -maxdepth 0 -exec @ \;
(@)
{ @; }
! @
time @
true && @
if @; then :; fi
[[ a = a ]] && @
echo $(@)
: > x$(@)
y=$(@)
f() { @; }; f
trap @ EXIT`,
    names,
  ),
);

const substitutions = fc.oneof(
  codes.map((code) => `$(${code})`),
  fc.constantFrom("`danger`", "`danger x`", "${u:-$(danger)}", "$(true;danger)", '"$(danger)"'),
);
const indexes = substitutions.map((text) => `a[${text}0]`);

/** Builtins that evaluate their words. */
const evaluations = fc.oneof(
  fill(
    String.raw`let @
let 'y=1' @
test -v @
[ -v @ ]
[ x -a -v @ ]
[[ -v @ ]]
[[ @ -eq 0 ]]
[[ 0 -lt @ ]]
printf -v @ 1
printf '%s%n' x @
read @ <<< 1
read -r -a y @ <<< 1
declare @=1
typeset @=1
declare -i y=@
declare -i y; y=@
export @=1
a=(1 2); unset @
mapfile @ <<< 1
wait -n -p @
getopts x @ -x
RANDOM=@
SECONDS=@
OPTIND=@
LINENO=@
HISTSIZE=@
echo $(( $(printf %s @) ))`,
    quoted(indexes),
  ),
  fill(
    String.raw`y=@; echo "$` +
      '{y@P}"\n' +
      String.raw`PS4=@; set -x; true
PS4=@ bash -xc true
export PS4=@; bash -xc :
compgen -W @ x`,
    quoted(substitutions),
  ),
  fill(
    String.raw`declare -a @
typeset -a @
a=(1); declare @
declare -A @
f() { local -a @; }; f
export @`,
    quoted(substitutions.map((text) => `a=(${text})`)),
  ),
);

/** Ways to set `x`, and ways in which a shell evaluates it. */
const settings = fill(
  `x=@
read -r x <<< @
printf -v x %s @
x=$(printf %s @)
declare x=@
export x=@
for x in @; do :; done
set -- @; x=$1
y=@; x=$y
y=(@); x=\${y[0]}
mapfile -t x <<< @
x=
x+=@
: "\${x:=@}"
x=5; x=@`,
  quoted(indexes),
);
const uses = oneOf(
  `echo $((x))
echo $(( 1 + $x ))
((x))
((y = x))
[[ x -eq 1 ]]
[[ $x -eq 1 ]]
[[ 1 -ge $x ]]
[[ -v $x ]]
[[ -v x ]]
[[ -v x && -v y ]]
echo \${x@Q} \${x@U} \${x@L} \${x@u}
echo \${!x[@]} \${!x[*]}
[ -v "$x" ]
[ -v $x ]
test -v "$x"
[ "-v" "$x" ]
v=-v; [ $v "$x" ]
v=-v; [ "$v" "$x" ]
v="-v $x"; [ $v ]
echo \${!x}
declare -n r=$x; echo $r
declare -n r="$x"; r=1
declare -n r; r="$x"; echo $r
let y=x
let "y = $x"
declare -i y=x
declare -i y; y=x
declare "$x"=1
declare "$x=1"
export "$x=1"
export $x
typeset "$x"=2
printf -v "$x" 1
v=-v; printf $v "$x" 1
printf "%s%n" a "$x"
read "$x" <<< 1
read $x <<< 1
mapfile -t "$x" <<< 1
a=(1); unset "$x"
z=(1 2); echo \${z[x]}
z=(1 2); echo \${z[$x]}
z[x]=1
z[$x]=1
z=([x]=1)
s=abc; echo \${s:x}
s=abc; echo \${s:0:$x}
for ((i=x; i<0; i++)); do :; done
wait -n -p "$x"
getopts x "$x" -x
eval "echo \\$(($x))"
bash -c "echo \\$(($x))"
export x; bash -c 'echo $((x))'
export x; bash -c 'let y=x'
x="$x" bash -c '[[ x -eq 1 ]]'
echo "$x" | while read -r y; do echo $((y)); done
f() { echo $(($1)); }; f "$x"
f() { local y=$1; echo $((y)); }; f "$x"
OPTIND=$x
RANDOM=x
exit "$x"
shift "$x"
printf '%d' "$x"
case 1 in $((x))) ;; esac
echo \${z[@]:x}
cat <<< $((x))
test "$x" -eq 1
[ $x -eq 1 ]
x=0; i=0; for ((i=0; i<2; i++)); do x=$((x+i)); done`,
);

/** Programs that start others by a variable, an option or text. */
const starters = fc.oneof(
  fill(
    String.raw`GIT_EXTERNAL_DIFF=@ git diff
env GIT_EXTERNAL_DIFF=@ git diff
export GIT_EXTERNAL_DIFF=@; git diff
declare -x GIT_EXTERNAL_DIFF=@; git diff
printf -v GIT_EXTERNAL_DIFF %s @; export GIT_EXTERNAL_DIFF; git diff
read -r GIT_EXTERNAL_DIFF <<< @; export GIT_EXTERNAL_DIFF; git diff
for GIT_EXTERNAL_DIFF in @; do export GIT_EXTERNAL_DIFF; git diff; done
set -a; GIT_EXTERNAL_DIFF=@; git diff
GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=diff.external GIT_CONFIG_VALUE_0=@ git diff
GIT_CONFIG_PARAMETERS="'diff.external=danger'" git diff
git -c diff.external=@ diff
git -c core.pager=@ -p diff
git -c alias.zz='!danger' zz
GIT_PAGER=@ git -p diff
TAR_OPTIONS='--checkpoint=1 --checkpoint-action=exec=danger' tar cf y.tar a
TAR_OPTIONS=-I@ tar cf y.tar a
TAR_OPTIONS='-I "danger x"' tar cf y.tar a
tar cf y.tar -I @ a
tar cf y.tar --use-compress-program=@ a
GNUMAKEFLAGS=--eval='$(shell danger)' make
MAKEFLAGS='--eval=$(shell danger)' make -f /dev/null
make --eval='$(shell danger)'
printf 'a:\n\tdanger\n' | make -f -
make SHELL=@ -f <(printf 'b:\n\tx\n')
gcc -wrapper danger,x -xc /dev/null
EDITOR=@ git commit --allow-empty
split --filter=@ a
prlimit --nofile=100 @
setarch -R @
flock y @
awk 'BEGIN{system("danger")}'
awk 'BEGIN{"danger"|getline}'
awk -v c=@ 'BEGIN{system(c)}'
sed -n '1e danger' a
sed '1s/.*/danger/e' a
perl -e 'system "danger"'
ed <<< '!danger'
hash -p ../bin/danger q; q
BASH_CMDS[q]=../bin/danger; q
BASH_CMDS[ls]=$PWD/../bin/danger; ls
shopt -s expand_aliases; BASH_ALIASES[q]=danger; eval q
ln -sf ../bin/danger q; ./q
cp ../bin/danger q; ./q
cp ../bin/d[a]nger q; ./q
cp $(command -v danger) q; ./q
env 'BASH_FUNC_q%%=() { danger; }' bash -c q
X=danger env -S '` +
      "${X} x'\nX=danger; export X; env -S '${X} x'\n" +
      String.raw`env -S 'dan"ger" x'
env -S 'danger\_x'
env -vS danger
env --split-string=danger
mapfile -C danger -c 1 < a
compgen -C danger
jobs -x danger
command_not_found_handle() { danger; }; nosuchprogram
ls() { danger; }; ls`,
    fc.constantFrom("danger", "'danger'", "dan''ger"),
  ),
  fill(
    String.raw`eval @
eval "$(printf %s @)"
bash -c @
bash <<< @
echo @ | bash
printf '%s\n' @ | sh
echo @ | xargs -I{} bash -c {}
. <(echo @)
bash <(echo @)
env bash -c @
xargs bash -c @ </dev/null
find . -maxdepth 0 -exec bash -c @ \;
y=@; eval "$y"
y=@; bash -c "$y"
set -- bash -c @; "$@"
trap @ EXIT
trap @ DEBUG; true
BASH_ENV=<(echo @) bash -c :
timeout 4 bash -c @
prlimit bash -c @
setarch -R bash -c @`,
    quoted(codes),
  ),
);

const cores = fc.oneof(
  codes,
  evaluations,
  evaluations,
  fc.tuple(settings, uses).map((parts) => parts.join("; ")),
  fc.tuple(settings, uses).map((parts) => parts.join("\n")),
  starters,
  starters,
);

/** Commands around a script. */
const frames: readonly ((script: string) => string)[] = [
  (script) => script,
  (script) => `true; ${script}`,
  (script) => `(${script}\n)`,
  (script) => `{ ${script}\n}`,
  (script) => `echo "$(${script}\n)"`,
  (script) => `if true; then ${script}\nfi`,
  (script) => `for i in 1; do ${script}\ndone`,
  (script) => `g() { ${script}\n}; g`,
  (script) => `eval ${single(script)}`,
  (script) => `bash -c ${single(script)}`,
  (script) => `env A=1 bash -c ${single(script)}`,
  (script) => `bash <<'END'\n${script}\nEND`,
];

const scripts = fc
  .tuple(cores, fc.array(fc.constantFrom(...frames), { maxLength: 2 }))
  .map(([core, outer]) => outer.reduce((script, frame) => frame(script), core));

const isContinuousIntegration = process.env["CI"] === "true";
const runs = Number(process.env["UNROLL_PROPERTY_RUNS"] ?? (isContinuousIntegration ? "600" : "150"));

test.skipIf(!existsSync(bash))(
  "whenever Bash starts a forbidden program, the rule counted against the script",
  { timeout: 300_000 },
  () => {
    const tried = [...new Set(fc.sample(scripts, { numRuns: runs, seed: 20_261_123 }))];
    const started = play(tried);
    expect(started.length).toBeGreaterThan(tried.length / 4);
    expect(started.filter(passes)).toEqual([]);
  },
);

test("a long text is judged in CPU time that hardly grows with the number of rules", () => {
  const command = `export A='${"danger0 -x ".repeat(1000)}'; foo`;
  const judge = (count: number): number => {
    const lines = Array.from(
      { length: count },
      (_, at) => `prefix_rule(pattern=["danger${count - at - 1}", "z"], decision="forbidden")`,
    );
    const parsed = parseRules(lines.join("\n"), "test.rules");
    if (parsed.type !== "rules.parsed") throw new Error("The rules are wrong.");
    const times = [1, 2, 3].map(() => {
      const before = process.threadCpuUsage();
      const verdict = judgeCommand({ argv: ["bash", "-c", command] }, mergeRules([parsed.rules]), {
        cwd: "/",
        home: null,
      });
      expect(verdict.decision).toBe("prompt");
      return process.threadCpuUsage(before).user; // another process's time is not counted
    });
    return Math.min(...times);
  };
  expect(judge(80) / judge(1)).toBeLessThan(8);
});
