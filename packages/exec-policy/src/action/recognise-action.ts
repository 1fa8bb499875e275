import { type Arguments, readArguments } from "./read-arguments.ts";

/** A command's action without its text. */
export type PartAction =
  | { readonly type: "read"; readonly file: string }
  | { readonly type: "list_files"; readonly path: string | null }
  | { readonly type: "search"; readonly query: string | null; readonly path: string | null };

const list = (path: string | undefined): PartAction => ({ type: "list_files", path: path ?? null });
const search = (query: string | undefined, path: string | undefined): PartAction => ({
  type: "search",
  query: query ?? null,
  path: path ?? null,
});

/** A program's recogniser, and its options that take a value. */
type Recogniser = readonly [valued: string, recognise: (given: Arguments) => PartAction | null];

const readOne = ({ operands }: Arguments): PartAction | null => toRead(operands);
const listFirst = ({ operands }: Arguments): PartAction => list(operands[0]);

const context = "-A -B -C -m --after-context --before-context --context --max-count";
const patterns = "-e -f --regexp --file";
const grep: Recogniser = [`${context} ${patterns} -d -D --include --exclude --exclude-dir --exclude-from`, searchText];
const ack: Recogniser = [
  `${context} -G -t --type --ignore --ignore-dir --ignore-file --path-to-ignore --depth`,
  searchText,
];
const ripgrep: Recogniser = [
  `${context} ${patterns} -E -g -j -M -r -t -T -d --color --encoding --glob --iglob --ignore-file --max-columns ` +
    "--max-depth --max-filesize --pre --replace --sort --sortr --threads --type --type-not",
  searchWithRipgrep,
];
const bat: Recogniser = [
  "-r -l -H -m --line-range --language --highlight-line --map-syntax --style --theme --color --paging --wrap --tabs " +
    "--file-name --terminal-width",
  readOne,
];
const eza: Recogniser = ["-L -I -s -t -w --level --ignore-glob --sort --time --time-style --color --width", listFirst];
const awk: Recogniser = ["-F -v -f", readWithAwk];

const recognisers: ReadonlyMap<string, Recogniser> = new Map<string, Recogniser>([
  ["ack", ack],
  ["ag", ack],
  ["awk", awk],
  ["bat", bat],
  ["batcat", bat],
  ["cat", ["", readOne]],
  ["du", ["-d -B -t -X --max-depth --block-size --threshold --exclude --exclude-from", listFirst]],
  ["egrep", grep],
  ["exa", eza],
  ["eza", eza],
  [
    "fd",
    [
      "-e -E -t -d -S -c -j --extension --exclude --type --max-depth --min-depth --exact-depth --size --color " +
        "--threads --changed-within --changed-before --max-results --search-path --base-directory",
      searchNames,
    ],
  ],
  ["fgrep", grep],
  ["git grep", [`${context} ${patterns} --max-depth --threads`, searchText]],
  ["git ls-files", ["-x -X --exclude --exclude-from --exclude-per-directory --with-tree", listFirst]],
  ["grep", grep],
  ["head", ["-n -c --lines --bytes", readOne]],
  ["less", ["-p -x -z -t -j --pattern", readOne]],
  ["ls", ["-I -w -T --ignore --hide --width --tabsize --block-size --format --sort --time --time-style", listFirst]],
  ["more", ["-n --lines", readOne]],
  ["nl", ["-b -d -f -h -i -l -n -s -v -w", readOne]],
  ["pt", ack],
  ["rg", ripgrep],
  ["rga", ripgrep],
  ["ripgrep-all", ripgrep],
  ["sed", ["-e -f --expression --file", readWithSed]],
  ["tail", ["-n -c -s --lines --bytes --pid --sleep-interval", readOne]],
  ["tree", ["-L -I -P --charset --filelimit", listFirst]],
]);

/** The action of one command; null: it does something else, or its own output only passes through. */
export function recogniseAction(words: readonly string[]): PartAction | null {
  const [program = "", subcommand = ""] = words;
  if (program === "find") return searchByFind(words.slice(1));
  const isGit = program === "git";
  const found = recognisers.get(isGit ? `git ${subcommand}` : program);
  return found === undefined ? null : found[1](readArguments(words.slice(isGit ? 2 : 1), found[0]));
}

function toRead([file, ...more]: readonly string[]): PartAction | null {
  return file === undefined || file === "-" || more.length > 0 ? null : { type: "read", file };
}

function readWithSed({ operands, values, flags }: Arguments): PartAction | null {
  const own = values.get("-e") ?? values.get("--expression") ?? null;
  const [script = "", files] = own === null ? [operands[0], operands.slice(1)] : [own, operands];
  const isQuiet = ["-n", "--quiet", "--silent"].some((flag) => flags.has(flag));
  return isQuiet && /^\d+(?:,\d+)?p$/.test(script) ? toRead(files) : null;
}

function readWithAwk({ operands, values }: Arguments): PartAction | null {
  return toRead(values.has("-f") ? operands : operands.slice(1));
}

function searchText({ operands, values }: Arguments): PartAction {
  const [name] = patterns.split(" ").filter((option) => values.has(option));
  return name === undefined ? search(operands[0], operands[1]) : search(values.get(name), operands[0]);
}

function searchWithRipgrep(given: Arguments): PartAction {
  return given.flags.has("--files") ? listFirst(given) : searchText(given);
}

/** `fd NAME FOLDER`; a name with a slash is a folder. */
function searchNames({ operands: [first, folder] }: Arguments): PartAction {
  return first === undefined || (folder === undefined && first.includes("/")) ? list(first) : search(first, folder);
}

function searchByFind(words: readonly string[]): PartAction {
  const given = words.slice(words.findIndex((word) => !/^-[HLP]$/.test(word)));
  const [first] = given;
  const folder = first === undefined || /^[-!(]/.test(first) ? undefined : first;
  const test = given.findIndex((word) => /^-(?:name|iname|path|regex)$/.test(word));
  const query = test < 0 ? undefined : given[test + 1];
  return query === undefined ? list(folder) : search(query, folder);
}
