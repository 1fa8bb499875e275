import { execFileSync } from "node:child_process";
import type { Repository } from "./repository.ts";

const machinePath = new RegExp(["(^|[\\s\"'`=:(])", "(root|work|farm)", ""].join("/"));
const forbidden: readonly (readonly [RegExp, string])[] = [
  [machinePath, "a path of one machine"],
  [new RegExp(`registry[.]npm${"js"}[.]org|deb[.]debian[.]org`), "a registry host"],
  [/\bsk-[A-Za-z0-9_-]{20,}/, "what looks like an API key"],
];

/** No path of one machine, registry host or credential in what is committed. */
export function checkTracked(repository: Repository): readonly string[] {
  if (!repository.has(".git")) return [];
  const files = execFileSync("git", ["ls-files", "-z"], { cwd: repository.root, encoding: "utf8" }).split("\0");
  return files
    .filter((file) => /\.(ts|mjs|js|json|md|yaml|toml|sh)$/.test(file) && !file.includes("pnpm-lock"))
    .filter((file) => repository.has(file))
    .flatMap((file) =>
      repository
        .read(file)
        .split("\n")
        .flatMap((line, index) =>
          forbidden.filter(([pattern]) => pattern.test(line)).map(([, what]) => `${file}:${index + 1}: holds ${what}`),
        ),
    );
}
