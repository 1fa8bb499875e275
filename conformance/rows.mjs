// The rows of the table of run.mjs: what the clients of one front end did on both programs.
import { writeFileSync } from "node:fs";

/** Counts cases by client. */
export function openRows() {
  const rows = new Map();
  return {
    /**
     * `about`: the front end, the client, its version, and whether it ran on the Codex CLI too. `names`: of the differences of this case, each a row of
     * the front end's page; null among them: one without a name, or a failure.
     */
    note({ frontEnd, client, version, isCompared }, what, names) {
      const key = `${frontEnd} ${client}`;
      if (!rows.has(key)) rows.set(key, { frontEnd, client, version, isCompared, cases: 0, same: 0, named: [], broken: [] });
      const row = rows.get(key);
      row.cases += 1;
      if (names.length === 0) row.same += 1;
      else if (names.includes(null)) row.broken.push(what);
      else row.named.push({ case: what, names: [...new Set(names)].toSorted((a, b) => a.localeCompare(b)) });
    },
    /** `file` null: nobody wants them. */
    write(file) {
      if (file !== null) writeFileSync(file, JSON.stringify([...rows.values()]));
    },
  };
}

/** The table for a page: the rows of one front end, or with null all of them. */
export function renderRows({ rows }, frontEnd = null) {
  const shown = rows.filter((row) => frontEnd === null || row.frontEnd === frontEnd);
  const line = (row) =>
    `| ${[row.frontEnd, row.client, row.version, row.cases, row.isCompared ? row.same : `${row.same} (not compared)`, row.named.length, row.broken.join(", ") || 0].join(" | ")} |`;
  const head = "| front end | client | version | cases | same | different and named | broken |\n|---|---|---|---|---|---|---|";
  return [head, ...shown.map(line)].join("\n");
}

/** The text of a page above its table: the differences that each client meets. */
export function renderSentence({ rows, reference, date }, frontEnd) {
  const shown = rows.filter((row) => row.frontEnd === frontEnd);
  const compared = shown.filter(({ isCompared }) => isCompared);
  const ran = `\`pnpm conformance\` ran these clients on ${date}.`;
  if (compared.length === 0) return `${ran} There is no counterpart in ${reference}, so a case is the same if it ends as its client expects.`;
  const differing = compared.filter(({ named }) => named.length > 0);
  if (differing.length === 0) return `${ran} All cases are the same as with ${reference}.`;
  const lines = differing.map((row) => `- ${row.client}: ${listNames([row]).join(", ")}`);
  return `${ran} All cases are the same as with ${reference} except for these differences:\n\n${lines.join("\n")}`;
}

/** The names of all differences in rows. */
export function listNames(rows) {
  return [...new Set(rows.flatMap(({ named }) => named.flatMap(({ names }) => names)))].toSorted((a, b) => a.localeCompare(b));
}
