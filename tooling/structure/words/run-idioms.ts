import { execFileSync } from "node:child_process";
import type { Repository } from "../repository.ts";
import { checkIdioms } from "./check-idioms.ts";
import { findSentences, listProse, proseKinds, type Sentence } from "./prose.ts";

const usage = `usage: pnpm structure idioms [--diff] [--report] [PATH…]
  --diff     only files that differ from origin/main
  --report   how long the sentences are; checks nothing
`;

/** The gate by itself, for single files or a diff. Returns the exit code. */
export function runIdioms(repository: Repository, words: readonly string[]): number {
  const [flags, paths] = [words.filter((word) => word.startsWith("-")), words.filter((word) => !word.startsWith("-"))];
  if (flags.some((flag) => !["--diff", "--report"].includes(flag))) {
    process.stderr.write(usage);
    return 2;
  }
  const files = selectFiles(repository, { paths, isDiff: flags.includes("--diff") });
  if (flags.includes("--report")) {
    process.stdout.write(renderLengths(findSentences(repository, files)));
    return 0;
  }
  const problems = checkIdioms(repository, files);
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  return problems.length === 0 ? 0 : 1;
}

function selectFiles(
  repository: Repository,
  { paths, isDiff }: { readonly paths: readonly string[]; readonly isDiff: boolean },
): readonly string[] {
  const changed = isDiff ? new Set(listChanged(repository.root)) : null;
  return listProse(repository).filter(
    (file) =>
      (changed === null || changed.has(file)) &&
      (paths.length === 0 || paths.some((path) => file === path || file.startsWith(`${path.replace(/\/$/, "")}/`))),
  );
}

/** Files that changed since this branch left origin/main (without one: since the last commit), and new files. */
function listChanged(root: string): readonly string[] {
  const git = (...words: readonly string[]): string =>
    execFileSync("git", words, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  let base = "HEAD";
  try {
    base = git("merge-base", "HEAD", "origin/main");
  } catch {
    // A clone without that branch compares with its last commit.
  }
  return [
    ...git("diff", "--name-only", "--diff-filter=d", base).split("\n"),
    ...git("ls-files", "--others", "--exclude-standard").split("\n"),
  ];
}

const [long, shown] = [30, 20];

function renderLengths(sentences: readonly Sentence[]): string {
  const counted = sentences.map((sentence) => ({ ...sentence, words: sentence.text.split(" ").length }));
  const rows = proseKinds.flatMap((kind) => {
    const lengths = counted.filter((each) => each.kind === kind).map(({ words }) => words);
    const middle = lengths.toSorted((left, right) => left - right)[lengths.length >> 1];
    const over = (limit: number): number => lengths.filter((length) => length > limit).length;
    return middle === undefined
      ? []
      : [
          `${kind}: ${lengths.length} sentences, median ${middle} words, ${over(20)} over 20, ${over(long)} over ${long}`,
        ];
  });
  const longest = counted
    .toSorted((left, right) => right.words - left.words)
    .slice(0, shown)
    .map(({ file, line, words, text }) => `${words} words  ${file}:${line}\n    ${text}`);
  return `${[...rows, "", "The longest:", ...longest].join("\n")}\n`;
}
