// Why a difference between the Codex CLI and unroll stays. Each name is a row of "Differences from the Codex CLI" in docs/exec.md.

/** Against an older Codex CLI: what the newest does as ours. */
export const ofVersions = "Older versions";

/**
 * The first that fits names it. `at` is the event or line, and in it the field; `ofCase`, `inReference` and `inOurs` are further patterns:
 * what is left out of these three fits everything.
 */
const differences = [
  { name: "Aborted commands", ofCase: /^an abort of/, at: /^item\.completed command_execution$/, inReference: /^$/ },
  { name: "Exit code of an abort", ofCase: /^an abort$/, at: /^throws$/, inReference: /exited with code null$/, inOurs: /exited with code 143/ },
  { name: "Usage of a turn", at: /^(?:turn|turn\.completed|answer) usage\.(?:cached_)?(?:input|output)_tokens$/, inReference: /^(?:19980|80|20)$/, inOurs: /^(?:9990|40|10)$/ },
  { name: "Refused calls", ofCase: /^a refused /, at: /^(?:item\.(?:started|completed) (?:command_execution|file_change)|tool-[\w-]+)$/, inReference: /^$/ },
  { name: "Refused calls", ofCase: /^a refused /, at: /^answer items\.\d$/ },
  { name: "Patches that do not fit", ofCase: /^a patch that does not fit$/, at: /^answer items\.\d$/ },
  { name: "Patches that do not fit", ofCase: /^a patch that does not fit$/, at: /^(?:item\.(?:started|completed) file_change|tool-[\w-]+)$/, inReference: /^$/ },
  { name: "Changes of a patch", ofCase: /^a patch with a move$/, at: /^(?:item\.\w+ file_change |tool-(?:call input|result (?:in|out)put)\.)changes\.\d\.(?:kind|path|moved_from)$/ },
  { name: "Changes of a patch", ofCase: /^a patch with a move$/, at: /^tool-input-delta delta$/, inReference: /"kind\\":\\"delete.*"add/, inOurs: /"kind\\":\\"add.*moved_from.*"delete/ },
  { name: "Commands as written", at: /^(?:item\.\w+ command_execution command|tool-call input\.command|tool-result (?:in|out)put\.command|tool-error command)$/, inReference: /^"\/bin\/bash -lc / },
  { name: "Commands as written", at: /^tool-input-delta delta$/, inReference: /^"\{\\"command\\":\\"\/bin\/bash -lc / },
  { name: "Answers that miss the schema of `--output-schema`", ofCase: /^an answer that misses the schema$/, at: /^turn$/, inReference: /^turn \{/, inOurs: /^$/ },
  { name: "Answers that miss the schema of `--output-schema`", ofCase: /^an answer that misses the schema$/, at: /^throws$/, inReference: /^$/, inOurs: /does not fit the output schema/ },
  { name: "No `error` events", at: /^error$/, inReference: /^error \{/, inOurs: /^$/ },
  // the client has stopped at the `error` of the Codex CLI
  { name: "No `error` events", at: /^turn\.failed$/, inReference: /^$/, inOurs: /^turn\.failed \{"error":\{"code":"\w+","message"/ },
  { name: "Words of errors", at: /^turn\.failed error\.message$/ },
  { name: "Words of errors", at: /^throws$/, inReference: /^throws \w*Error: ./, inOurs: /^throws \w*Error: (?:Error calling OpenAI Codex SDK: )?<server> / },
  { name: "More of a failed turn", at: /^turn\.failed (?:error\.code|usage\.\w+)$/, inReference: /^$/ },
  { name: "Size of the context window", at: /^turn\.started context_window$/, inReference: /^$/, inOurs: /^\d+$/ },
  { name: "Size of the context window", at: /^turn\.started context_window_origin$/, inReference: /^$/, inOurs: /^"\w+"$/ },
  { name: "Facts of a call", at: /^(?:item\.\w+ \w+ (?:call_id|cwd|started_at|duration_ms)|tool-(?:call|result) (?:in|out)put\.cwd)$/, inReference: /^$/ },
  { name: "Status of a search", at: /^(?:item\.\w+ web_search status|tool-result output\.status)$/, inReference: /^$/, inOurs: /^"(?:in_progress|completed|failed)"$/ },
];

/** The name of a difference; null: it has none. */
export function nameDifference({ what, at, reference, ours }) {
  const fits = (pattern, text) => pattern === undefined || pattern.test(text);
  const found = differences.find(
    (each) => each.at.test(at) && fits(each.ofCase, what) && fits(each.inReference, reference) && fits(each.inOurs, ours),
  );
  return found?.name ?? null;
}

/** The names without a row in docs/exec.md. */
export function listUndocumented(page) {
  return [ofVersions, ...differences.map(({ name }) => name)].filter((name) => !page.includes(`| ${name} |`));
}
