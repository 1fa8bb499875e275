import type { ShellWord } from "../command/shell-word.ts";

/** Options, tests and actions of `find` that only read and print. */
const readOnlyPrimaries: ReadonlySet<string> = new Set(
  (
    "-H -L -P -E -X -s -x -a -amin -anewer -and -atime -cmin -cnewer -ctime -daystart -depth -empty -executable -false " +
    "-follow -fstype -gid -group -ignore_readdir_race -ilname -iname -inum -ipath -iregex -iwholename -links -lname " +
    "-ls -maxdepth -mindepth -mmin -mount -mtime -name -newer -newerBB -newerBm -newermm -newermt -nogroup -noleaf " +
    "-not -nouser -o -or -path -perm -print -print0 -printf -prune -quit -readable -regex -regextype -samefile -size " +
    "-true -type -uid -used -user -wholename -writable -xdev -xtype"
  ).split(" "),
);

/** Whether a `find` without its `-exec` parts only reads: no `-delete`, `-fprint`, `-fls`. */
export function isSafeFind(words: readonly ShellWord[]): boolean {
  return words.slice(1).every((word) => {
    if (word.kind !== "static") return word.kind === "operand";
    return !word.text.startsWith("-") || readOnlyPrimaries.has(word.text) || /^-\d+[a-zA-Z]?$/.test(word.text);
  });
}
