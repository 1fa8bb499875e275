import { baseName } from "../command/program-path.ts";
import { type ShellWord, toStaticWord } from "../command/shell-word.ts";
import { withoutGlobalOptions } from "../command/without-global-options.ts";

/** Options by which programs work in another folder, or by a file of another folder. */
const folderOptions: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    git: "-C --git-dir --work-tree",
    "make gmake bmake ninja scons": "-C -f --directory --file --makefile",
    "npm pnpm yarn bun": "-C --cwd --dir --prefix",
    "cargo go": "-C --manifest-path",
    just: "-d -f --justfile --working-directory",
    "gradle gradlew mvn mvnw": "-p -b -f --build-file --file --project-dir",
    "uv poetry pdm": "-C -P -p --directory --project",
    "task composer mage": "-d -t -w --dir --taskfile --working-dir",
    "rake drake": "-C -f --directory --rakefile",
    swift: "-C --chdir --package-path",
    cmake: "-B -C -H -P -S --build --install",
    ctest: "-S --build-and-test --test-dir",
    meson: "-C --builddir --wd",
    "bundle bundler": "--gemfile",
    "tox nox": "-c -f --conf --noxfile --root --workdir",
  }).flatMap(([programs, options]) => programs.split(" ").map((name) => [name, options.split(" ")] as const)),
);

/** The usual names of such an option in programs that are not listed. */
const commonOptions = "--chdir --cwd --dir --directory --prefix --workdir --working-dir --working-directory".split(" ");

const harmlessFiles: ReadonlySet<string> = new Set(["/dev/null", "/dev/stdout", "/dev/stderr"]);

/**
 * The folders and files outside its own folder that the options of a command name, behind the first words, which a rule spells
 * out; null where one is only known when the command runs, and where a word may be any option then.
 */
export function findOptionFolders(words: readonly ShellWord[], length: number): readonly string[] | null {
  const name = baseName(words[0]?.text ?? "");
  // Behind its subcommand no option of git names a folder: `-C` means something else there.
  const end = name === "git" ? words.length - withoutGlobalOptions(words).length + 2 : words.length;
  const searched = words.slice(0, end);
  if (searched.some((word, index) => index >= length && mayBeOption(word))) return null;
  const options = [...(folderOptions.get(name) ?? []), ...(name === "git" ? [] : commonOptions)];
  const values = searched.flatMap((word, index) => {
    const next = index + 1 < length ? undefined : searched[index + 1];
    const given = listValues(word, next, options);
    // Values joined to an option of the rule itself are part of the rule.
    const counted = index < length ? given.filter((value) => value === next) : given;
    const outside = index < length ? [] : listOutsidePaths(word.text).map(toStaticWord);
    const following = next !== undefined && isOpenOption(word.text) && mayLeadOut(next) ? [next] : [];
    return [...counted, ...outside, ...following];
  });
  if (!values.every((word) => word.kind === "static" && !word.text.startsWith("~"))) return null;
  return values.map((word) => word.text).filter((path) => !harmlessFiles.has(path));
}

/** Whether a word may turn out to be an option: also one that `find` or `xargs` puts in. */
function mayBeOption(word: ShellWord): boolean {
  if (word.kind === "static") return false;
  return word.kind === "dynamic" || word.text === "{}" || /^\w+=$/.test(word.head);
}

/** Whether the value of an option may be a path out of the folder. */
function mayLeadOut({ kind, text, head }: ShellWord): boolean {
  if (leadsOut.test(text) || leadsOut.test(head)) return true;
  // A pattern of files here, or a sentence (`-H "Accept: $x"`).
  return kind !== "static" && !/^[\w.*?[\]{},@+/-]+$|^[A-Z][\w-]*: /.test(text.replace(/^"/, ""));
}

const leadsOut = /^[/~]|(?:^|\/)\.\.(?:\/|$)/;

/** An option that may take the next word. */
function isOpenOption(text: string): boolean {
  return /^--?[^-=][^=]*$/.test(text);
}

/** `-Isrc/include`, `-Lbuild/lib`: all of the rest is one folder, wherever programs have these options. */
const searchFolder = /^-[IL]([^=,:]+)$/;

/** `/x` of `-X/x`, `--option=/x`, `--option=name=/x`, `file:///x`. Another address (`https://…`) is none. */
function listOutsidePaths(text: string): readonly string[] {
  if (!text.startsWith("-")) return [];
  const searched = searchFolder.exec(text)?.[1];
  if (searched !== undefined) return leadsOut.test(searched) ? [searched] : [];
  const starts = text.matchAll(/(?:^-\w*|[=,]|file:\/\/[^/]*|:(?!\/\/[^/]))(?=[/~]|\.\.(?:\/|$))/g);
  const direct = [...starts].map((match) => text.slice(match.index + match[0].length));
  const value = /^--?[\w-]+=(.*)/s.exec(text)?.[1] ?? text.slice(2);
  return leadsOut.test(value) ? [...direct, value] : direct;
}

/** The values of the folder options in a word: joined to it, or the next word. */
function listValues(word: ShellWord, next: ShellWord | undefined, options: readonly string[]): readonly ShellWord[] {
  // A definition: `-Dname=value`.
  if (word.text.startsWith("-D")) return [];
  return listOptions(word.text).flatMap(({ option, value }) => {
    if (!options.some((known) => isShortFor(option, known))) return [];
    if (value !== "") return [{ ...word, text: value }];
    return next === undefined ? [] : [next];
  });
}

/** Many programs take the start of a long option for the whole, and one dash for two. */
function isShortFor(option: string, known: string): boolean {
  return option === known || (known.startsWith("--") && option.startsWith("--") && known.startsWith(option));
}

interface GivenOption {
  readonly option: string;
  /** Empty: the next word. */
  readonly value: string;
}

/** `--option=value`, the same with one dash, and each letter of `-kCvalue`: only the program knows which of them takes one. */
function listOptions(text: string): readonly GivenOption[] {
  const [, long = "", value = ""] = /^--?([A-Za-z][\w-]*)(?:=(.*))?$/s.exec(text) ?? [];
  if (text.startsWith("--")) return long === "" ? [] : [{ option: `--${long}`, value }];
  if (searchFolder.test(text)) return [{ option: text.slice(0, 2), value: text.slice(2) }];
  const named = long.length > 2 ? [{ option: `--${long}`, value }] : [];
  const letters = /^-(\w+)/.exec(text)?.[1] ?? "";
  return [
    ...named,
    ...Array.from(letters, (letter, at) => ({ option: `-${letter}`, value: text.slice(at + 2).replace(/^=/, "") })),
  ];
}
