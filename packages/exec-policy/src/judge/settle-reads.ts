import { isHarmlessVariable } from "../command/variable-power.ts";
import { toStaticWords } from "../command/shell-word.ts";
import { toPartVerdict } from "./to-part-verdict.ts";
import type { PartVerdict } from "./verdict.ts";

/**
 * Holds the parts of a command line that only read against the others: what depends on variables that would change
 * another part, on a folder that the line leaves, or on variables that it sets, is no longer said to only read.
 */
export function settleReads(parts: readonly PartVerdict[], cwd: string): readonly PartVerdict[] {
  const onlyReads = parts.every(({ source }) => source.type === "read.recognised");
  const leaves = parts.some(({ argv }) => leavesFolder(argv, cwd));
  const exported = parts.flatMap(({ argv }) => (argv[0] === "export" ? argv.slice(1) : []));
  const foreign = exported.map((text) => text.split("=", 1)[0] ?? "").find((name) => !isHarmlessVariable(name));
  return parts.map((part) => {
    if (part.source.type !== "read.recognised") return part;
    const { grant } = part.source;
    if (grant.standsAlone && !onlyReads)
      return withhold(part, "reads only under settings that would change what runs beside it");
    if (grant.staysHere && leaves) return withhold(part, "may run in another folder, whose repository is not known");
    if (foreign !== undefined && !/^(?:export|cd|echo|printf|true|:)$/.test(part.argv[0] ?? "")) {
      return withhold(part, `may obey ${foreign}, which the line sets`);
    }
    return part;
  });
}

function leavesFolder([program = "", target, ...others]: readonly string[], cwd: string): boolean {
  if (!/^(?:cd|chdir|pushd|popd)$/.test(program)) return false;
  return program !== "cd" || others.length > 0 || target?.replace(/(?<=.)\/+$/, "") !== cwd;
}

function withhold(part: PartVerdict, detail: string): PartVerdict {
  const words = toStaticWords(part.argv);
  return { ...toPartVerdict(words, { type: "read.withheld", detail }), text: part.text };
}
