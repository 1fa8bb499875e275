import { toPlainText } from "@unroll/exec";
import { describePrefix, readScript } from "@unroll/exec-policy";
import type { ApprovalDecision, ApprovalQuestion, CommandQuestion, PatchQuestion } from "@unroll/protocol";
import type { Terminal } from "./terminal.ts";

/** Asks the person at the terminal. Leaving a question (^C, ^D) is a no. */
export async function askApproval(
  terminal: Terminal,
  request: ApprovalQuestion,
  signal: AbortSignal,
): Promise<ApprovalDecision> {
  terminal.say(renderRequest(request));
  for (;;) {
    const key = (await terminal.ask(`  ${renderKeys(request)} `, { signal }))?.trim().toLowerCase() ?? null;
    signal.throwIfAborted();
    if (key === "y") return { type: "approved.once" };
    if (key === "s") return { type: "approved.thread" };
    if (key === null) return { type: "denied", reason: null };
    if (key === "n") return { type: "denied", reason: await terminal.ask("  What to do instead? ", { signal }) };
    const always = key === "a" && hasPrefix(request) ? await askPrefix(terminal, request, signal) : null;
    if (always) return always;
  }
}

type PrefixRequest = CommandQuestion & { readonly proposedPrefix: readonly string[] };

function hasPrefix(request: ApprovalQuestion): request is PrefixRequest {
  return request.type === "command.approval" && request.proposedPrefix !== null;
}

function renderRequest(request: ApprovalQuestion): string {
  const lines = renderSubject(request);
  return ["", ...lines, `  asked by: ${request.askedBy}`, `  ${request.reason}`].map(toPlainText).join("\n");
}

function renderSubject(request: ApprovalQuestion): readonly string[] {
  switch (request.type) {
    case "command.approval":
      return renderCommand(request);
    case "patch.approval":
      return renderPatch(request);
    case "tool.approval":
      return [`? May the tool ${request.tool} be called?`, `    ${JSON.stringify(request.arguments)}`];
  }
}

function renderCommand({ command, cwd, isUnconfined, justification }: CommandQuestion): readonly string[] {
  return [
    `? May this command run${isUnconfined ? " outside the sandbox" : ""}?`,
    `    $ ${command}`,
    `  in ${cwd}`,
    ...(justification === null ? [] : [`  the model says: ${justification}`]),
  ];
}

function renderPatch({ changes, diff, outsideRoots }: PatchQuestion): readonly string[] {
  return [
    "? May these files be changed?",
    ...changes.map(({ kind, path }) => `    ${kind} ${path}`),
    ...diff.split("\n").map((line) => `    ${line}`.trimEnd()),
    ...outsideRoots.map((path) => `  outside the writable folders: ${path}`),
  ];
}

function renderKeys(request: ApprovalQuestion): string {
  const always = hasPrefix(request) ? ` [a] always for \`${request.proposedPrefix.join(" ")} …\`` : "";
  return toPlainText(`[y] yes [s] for this thread${always} [n] no:`);
}

/** The prefix, edited, with what else it lets run; null: back to the question. */
async function askPrefix(
  terminal: Terminal,
  { proposedPrefix }: PrefixRequest,
  signal: AbortSignal,
): Promise<ApprovalDecision | null> {
  const prefill = proposedPrefix.join(" ");
  const text = await terminal.ask("  Always allow what starts with: ", { signal, prefill });
  const prefix = text === null ? null : readWords(text);
  if (prefix === null) {
    terminal.say("  That is not the beginning of one plain command.");
    return null;
  }
  const { allows, warning } = describePrefix(prefix);
  terminal.say(`  ${allows}${warning === null ? "" : `\n  Careful: ${warning}`}`);
  const isSure = await terminal.ask("  Write this rule? [y/n] ", { signal });
  return isSure?.trim().toLowerCase() === "y" ? { type: "approved.always", prefix } : null;
}

function readWords(text: string): readonly string[] | null {
  const { commands, flaw } = readScript(text, "bash");
  const [command] = commands;
  if (flaw !== null || command === undefined || commands.length > 1 || command.words.length === 0) return null;
  return command.words.every((word) => word.kind === "static") ? command.words.map((word) => word.text) : null;
}
