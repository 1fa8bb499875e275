import type { CommandDenial, FileChange, McpCall, ThreadEvent } from "@unroll/protocol";

/**
 * Decides which calls run, for every tool. The runtime asks it before anything of a call runs, and
 * treats anything that is not exactly a `CallVerdict` as a denial. `createCallGate` of
 * `@unroll/approval` implements it.
 */
export interface CallGate {
  /** Asks a person where the policy says so. Rejects with the signal's reason when the call is no longer wanted. */
  judge(call: GatedCall, context: GateContext): Promise<CallVerdict>;
}

/** Context for asking a person. */
export interface GateContext {
  /** The item that shows the call: what a question about it is put under. */
  readonly itemId: string;
  readonly signal: AbortSignal;
  readonly emit: (event: ThreadEvent) => Promise<void>;
}

/** A call as it would be done. */
export type GatedCall = GatedCommand | GatedPatch | GatedMcpCall | GatedTool | GatedHost;

/**
 * A command, or text typed at a running one: as the script that it may be, with the text before it
 * on the line. `require_escalated` if that command runs outside the present sandbox.
 */
export interface GatedCommand {
  readonly type: "command";
  readonly request: CommandRequest;
  /** The session that it is typed at, wherever the command there is by now; null: it is started, in `request.cwd`. */
  readonly typedAt: number | null;
  /** The sandbox stopped the command: may it run once more, outside? Null: it has not run yet. */
  readonly denial: CommandDenial | null;
}

/** A patch that is known to fit its files, before any of them is written. */
export interface GatedPatch {
  readonly type: "patch";
  /** As in events: absolute paths; a move is one change, under its new path. */
  readonly changes: readonly FileChange[];
  /** A unified diff of them; where it is too long, it says what it leaves out. */
  readonly diff: string;
  /** The files to be written or removed that `PathAccess` refuses, with every link followed. */
  readonly outsideRoots: readonly string[];
}

/** A call of a tool of an MCP server, before it is sent. */
export interface GatedMcpCall {
  readonly type: "mcp";
  readonly call: McpCall;
  /** The server says that the tool changes nothing. */
  readonly readOnly: boolean;
}

/** A host that a command in the sandbox wants to reach while it runs. */
export interface GatedHost {
  readonly type: "host";
  /** As in `HostQuestion`. */
  readonly hosts: readonly string[];
  /** The pattern of a rule that asks each time; null: no rule names the host. */
  readonly prompt: string | null;
  readonly command: string;
  readonly cwd: string;
}

/** Any other tool. */
export interface GatedTool {
  readonly type: "tool";
  readonly tool: string;
  /** As the model gave them, parsed. */
  readonly arguments: unknown;
  /** The tool author's declaration. */
  readonly approval: Approval;
}

/** Whether a call runs by itself, or only after a person agreed. */
export type Approval = "run" | "ask";

/** A gate's verdict: the call runs, or it does not. */
export type CallVerdict = RunVerdict | DeclinedVerdict | PostponedVerdict;

export interface DeclinedVerdict {
  readonly type: "declined";
  /**
   * For the model: which rule or who said no, and what to do instead. Empty, for a second run only: nobody was asked, and
   * there is nothing to add to how the first one ended.
   */
  readonly message: string;
  /** For people, a sentence. Absent: `message`. */
  readonly reason?: string;
}

/** The person answers later. A denial of what is judged while a call runs. */
interface PostponedVerdict {
  readonly type: "postponed";
  /** For people, a sentence: what is asked. */
  readonly reason: string;
}

/** The call runs, and how a command of it is confined. */
export interface RunVerdict {
  readonly type: "run";
  /** For commands, as in `CommandSpec`. */
  readonly confinement: "policy" | "none";
  /** Variables that a command must have for the verdict to hold. Absent: none. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** A command as it would be started. */
export interface CommandLine {
  /** Program and arguments; never empty. */
  readonly argv: readonly string[];
  /** The script that `argv` hands to the user's shell; absent where the model gave the arguments itself. */
  readonly shellScript?: string;
}

/** A command that the model wants to run, before anybody has agreed to it. */
export interface CommandRequest extends CommandLine {
  /** Absolute. */
  readonly cwd: string;
  /** `require_escalated`: to run it outside the sandbox. */
  readonly sandboxPermissions: "use_default" | "require_escalated";
  /** The model's reason, for the person who is asked. */
  readonly justification?: string;
}
