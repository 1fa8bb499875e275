import type { McpApprovalMode } from "@unroll/protocol";
import type { LawBook } from "./law-book.ts";

/** Nothing runs that was refused, or that needs an approval and got none. */
export interface ApprovalLaws {
  /** An answer to a question about a command or files; `isYes`: only for a valid approval. */
  answered(about: string, isYes: boolean): void;
  /** The process was killed: a denial that it did not save is asked for again where the next one has to ask. A saved one is an output. */
  forgetRefusals(): void;
  /** A command runs, a file was changed, or a form counts as accepted. `needsYes`: as the policy has it. */
  happened(what: string, needsYes: boolean): void;
  /** A person's yes to a tool of a server was one for the whole thread, where the question offers that. */
  kept(tool: McpTool): void;
  /** A tool of a server begins. `what` as of `happened`. */
  called(tool: McpTool, what: string, rules: McpRules): void;
}

interface McpTool {
  /** Null: the program itself, which has no such tools here. */
  readonly server: string | null;
  readonly tool: string;
}

/** The approval rules in force when a server's tool is called. There is always somebody to ask. */
interface McpRules {
  readonly isAsking: boolean;
  /** The mode for all servers. */
  readonly mode: McpApprovalMode;
  /** The tools that have their own. */
  readonly toolModes: Readonly<Record<string, McpApprovalMode>>;
  readonly readOnly: boolean;
}

export function createApprovalLaws(book: LawBook): ApprovalLaws {
  const allowed = new Set<string>();
  const refused = new Set<string>();
  const kept = new Set<string>();

  function happened(what: string, needsYes: boolean): void {
    for (const name of listNames(what)) {
      if (refused.has(name)) book.breach(`it ran, though it was refused: ${name}`);
      else if (needsYes && !allowed.has(name)) book.breach(`it ran, and nobody was asked: ${name}`);
    }
  }

  return {
    happened,
    forgetRefusals: () => refused.clear(),
    kept: ({ server, tool }) => void kept.add(`${server} ${tool}`),
    called({ server, tool }, what, rules) {
      const needed = findNeeded(tool, rules);
      happened(what, needed === "each call" || (needed === "once" && !kept.has(`${server} ${tool}`)));
    },
    answered(about, isYes) {
      for (const name of listNames(about)) {
        (isYes ? allowed : refused).add(name);
        (isYes ? refused : allowed).delete(name); // the last answer counts: one that a killed process did not save is asked for again
      }
    },
  };
}

/** Which approval a call needs: a second implementation of the table in docs/mcp.md. */
function findNeeded(tool: string, { isAsking, mode, toolModes, readOnly }: McpRules): "none" | "once" | "each call" {
  switch (toolModes[tool] ?? mode) {
    case "approve":
      return "none";
    case "auto":
      return readOnly || !isAsking ? "none" : "once";
    case "writes":
      return readOnly ? "none" : "each call";
    case "prompt":
      return "each call";
  }
}

/** Scripts, forms and files of a simulation have names that no other has. */
function listNames(text: string): readonly string[] {
  return text.match(/(?:work|form) \d+|new-\d+\.txt/g) ?? [];
}
