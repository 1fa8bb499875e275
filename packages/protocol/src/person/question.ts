import type { FileChange } from "../file-change.ts";

/** A question for a person. Data for a dialogue: it contains no credential, and all of it must be shown. */
export type Question = ApprovalQuestion | PrefixQuestion | ModelQuestions | FormQuestion;

/** Whether something may be done. Answered by an `ApprovalDecision`. */
export type ApprovalQuestion = CommandQuestion | PatchQuestion | ToolQuestion | HostQuestion;

/** The origin of a question. */
interface QuestionPlace {
  /** If a sub-agent asks, the thread that started it. */
  readonly threadId: string;
  /** The sub-agent that asks, in a word or two (`explorer 2`). Absent: no sub-agent does. */
  readonly agent?: string;
  /** The item of the call that asks, `item_N`; null: none, because a server asks between calls, or a sub-agent asks. */
  readonly itemId: string | null;
}

interface ApprovalReason extends QuestionPlace {
  /** Which rule, mode, policy or tool asks, once; for a label. */
  readonly askedBy: string;
  /** Whole sentences: why it is asked. */
  readonly reason: string;
}

/** May this command run? */
export interface CommandQuestion extends ApprovalReason {
  readonly type: "command.approval";
  /** As a shell would take it. */
  readonly command: string;
  /** Absolute. */
  readonly cwd: string;
  /** The model's reason; null where it gave none. */
  readonly justification: string | null;
  /** Whether an approval lets it run outside the sandbox. */
  readonly isUnconfined: boolean;
  /** The command prefix that "always" would allow, to be edited; null: no rule would end the question. */
  readonly proposedPrefix: readonly string[] | null;
  /** The names of the variables that such a rule allows with any value; empty without `proposedPrefix`. */
  readonly proposedEnv: readonly string[];
  /** Other commands that this would allow, in sentences; null without `proposedPrefix`. */
  readonly alsoAllows: string | null;
}

/** May these files be changed? */
export interface PatchQuestion extends ApprovalReason {
  readonly type: "patch.approval";
  readonly changes: readonly FileChange[];
  /** A unified diff of all of them. */
  readonly diff: string;
  /** The files that the sandbox would not let a command write; absolute. */
  readonly outsideRoots: readonly string[];
  /**
   * The folders that `approved.edits` covers, absolute. Files there that steer git or an agent are
   * not covered. Empty: this answer counts as a denial.
   */
  readonly editFolders: readonly string[];
}

/** A tool of an MCP server, or of the program that uses the harness. */
export interface ToolQuestion extends ApprovalReason {
  readonly type: "tool.approval";
  /** The id of the MCP server in the config; null: a tool of the program's own. */
  readonly server: string | null;
  readonly tool: string;
  /** As the model gave them, parsed. */
  readonly arguments: unknown;
  /**
   * Whether an approval for the thread is remembered; otherwise it only counts for this call, and
   * every call is asked about.
   */
  readonly isKeepable: boolean;
}

/** May a command that runs in the sandbox reach these hosts? Its connection waits for the answer. */
export interface HostQuestion extends ApprovalReason {
  readonly type: "host.approval";
  /** Each `name:port`: first the one that the command wants now, then those of the same package manager. */
  readonly hosts: readonly string[];
  /** Whether `approved.hosts` ends the question for good; false: a rule asks each time, so offer no "always". */
  readonly endsByRule: boolean;
  /** As a shell would take it. */
  readonly command: string;
  /** Absolute. */
  readonly cwd: string;
}

/** Whether a thread may resend everything uncached. Answered by `approved.once` or `denied`. */
export interface PrefixQuestion extends ApprovalReason {
  readonly type: "prefix.break";
  /** Why: another `account`, or another model because this one failed (`fallback`). Absent: another model or other tools. */
  readonly subject?: "account" | "fallback";
  /**
   * The model and the id of its provider that the thread was opened with: with these, the cache
   * stays valid.
   */
  readonly opened: { readonly model: string; readonly provider: string };
  /** Each a clause: what would be another, and what would be lost. */
  readonly changes: readonly string[];
  /** The tokens that the next request would send at full price; estimated. */
  readonly tokens: number;
}

/** The model asks, 1 to 3 questions at once. Answered by a `ChoiceAnswer`. */
export interface ModelQuestions extends QuestionPlace {
  readonly type: "model.questions";
  readonly questions: readonly ModelQuestion[];
}

/** A question that the model asks a person, with answers to choose from. */
export interface ModelQuestion {
  /** Tells the answers apart; unique among the questions. */
  readonly id: string;
  /** A few words to put above it. */
  readonly header: string;
  readonly question: string;
  /** 2 to 4. A person may also answer in their own words. */
  readonly options: readonly ModelQuestionOption[];
}

/** One answer to choose. */
export interface ModelQuestionOption {
  /** Unique in its question. */
  readonly label: string;
  /** Its meaning or its consequence. */
  readonly description: string;
}

/** An MCP server asks for something by a form, in the middle of a call. Answered by a `FormAnswer`. */
export interface FormQuestion extends QuestionPlace {
  readonly type: "server.form";
  readonly server: string;
  /** The server's own words: show from whom they are. */
  readonly message: string;
  readonly fields: readonly FormField[];
}

/** One value that a form asks for. */
export interface FormField {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly isRequired: boolean;
  readonly input: FormInput;
  /** Null: none. */
  readonly defaultValue: FormValue | null;
}

/**
 * The form of a value. Lengths are in characters (code points); without a limit of the server, they
 * are 0 or infinite.
 */
export type FormInput =
  /** `format`: email, uri, date, date-time; null: any text. */
  | { readonly type: "text"; readonly format: string | null; readonly minLength: number; readonly maxLength: number }
  | { readonly type: "number"; readonly isInteger: boolean; readonly minimum: number; readonly maximum: number }
  | { readonly type: "boolean" }
  /** `isMultiple`: the value is a list of values, so many; else it is one. */
  | {
      readonly type: "choice";
      readonly isMultiple: boolean;
      readonly minItems: number;
      readonly maxItems: number;
      readonly options: readonly { readonly value: string; readonly title: string }[];
    };

/** A value of a form; a list where several may be chosen. */
export type FormValue = string | number | boolean | readonly string[];
