// Why a difference between the Codex CLI and unroll stays. Each name is a row of "Differences from the Codex CLI" in docs/exec.md.

/** The first that fits names it. `ofCase`, `inReference` and `inOurs` are patterns; what is left out fits everything. */
const differences = [
  { name: "Aborted commands", ofCase: /^an abort of/, inReference: /^$/, inOurs: /^item\.completed command_execution/ },
  { name: "Exit code of an abort", ofCase: /^an abort$/ },
  { name: "Usage of a turn", inReference: /"input_tokens":200,/, inOurs: /"input_tokens":100,/ },
  { name: "Refused calls", ofCase: /^a refused / },
  { name: "Patches that do not fit", ofCase: /^a patch that does not fit$/ },
  { name: "Changes of a patch", ofCase: /^a patch with a move$/ },
  { name: "Commands as written", inReference: /\/bin\/bash -lc/ },
  { name: "Answers that miss the schema", ofCase: /^an answer that misses/ },
  { name: "No `error` events", inReference: /^error \{/, inOurs: /^$/ },
  { name: "No `error` events", ofCase: /^a (?:server|stream|response) that/, inReference: /^$/, inOurs: /^turn\.failed/ },
  { name: "Words of errors", inReference: /^(?:turn\.failed|throws Error|answer|error)/, inOurs: /^(?:turn\.failed|throws Error|answer|error)/ },
  { name: "`effort` as the model has it", inReference: /^effort/ },
];

/** The name of a difference; null: it has none. */
export function nameDifference({ what, reference, ours }) {
  const fits = (pattern, text) => pattern === undefined || pattern.test(text);
  const found = differences.find(
    ({ ofCase, inReference, inOurs }) => fits(ofCase, what) && fits(inReference, reference) && fits(inOurs, ours),
  );
  return found?.name ?? null;
}

/** Those of which docs/exec.md has no row. */
export function listUndocumented(page) {
  return differences.map(({ name }) => name).filter((name) => !page.includes(`| ${name} |`));
}
