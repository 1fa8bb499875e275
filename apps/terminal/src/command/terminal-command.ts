import type { ResolvedConfig } from "@unroll/config";
import type { Host } from "@unroll/harness";
import type { ProgramFlags } from "@unroll/program";
import type { ThreadEvent, TurnOutcome } from "@unroll/protocol";
import type { StyledLine } from "@unroll/screen";
import type { PlanMode } from "@unroll/use-cases/plan";
import type { ThreadView } from "@unroll/view";
import type { Conversation } from "../conversation/conversation.ts";
import type { HelpEntry } from "../text/render-help.ts";

/** A command of the person's, typed as `/name argument`. */
export interface TerminalCommand {
  /** Without the slash. */
  readonly name: string;
  /** A clause, for the list. */
  readonly description: string;
  /** What may stand behind it, as `[FOCUS]`, where it depends on the model as a function of the config; null: nothing does. */
  readonly argument: string | ((config: ResolvedConfig) => string) | null;
  /** Whether it may run while a turn does. */
  readonly timing: "always" | "between_turns";
  /** Does it. `argument`: trimmed, empty where nothing stands there. What it throws is told. */
  run(context: CommandContext, argument: string): Promise<void>;
}

/** What commands reach of the program and the world: small, so that they run without a terminal. */
export interface CommandContext {
  readonly conversation: Conversation;
  readonly host: Host;
  /** Of the command line that started the program. */
  readonly flags: ProgramFlags;
  /** What is known of the thread that is shown. */
  readonly view: ThreadView;
  /** Aborts when the person interrupts what runs. */
  readonly signal: AbortSignal;
  /** Whether plan mode is on, and how to switch it. */
  readonly plan: PlanMode;
  /** What the keys do, for the help. */
  readonly keys: readonly HelpEntry[];
  /** All commands, for the help. */
  readonly commands: readonly TerminalCommand[];
  /** Words of ours in answer, in the transcript. */
  readonly tell: (text: string) => void;
  /** Markdown, in the transcript. */
  readonly show: (markdown: string) => void;
  /** Lines that are made for the width of the screen, in the transcript. */
  readonly lines: (render: (columns: number) => readonly StyledLine[]) => void;
  /** All of the thread that is shown, on a page of its own. */
  readonly pageThread: () => Promise<void>;
  /** More than fits: on a page of its own where there is a screen. */
  readonly page: (page: CommandPage) => void;
  /** What grows while it is looked at, on a page of its own. */
  readonly follow: (text: FollowedText) => void;
  /** Puts a question; null: the person left it. */
  readonly choose: (choice: Choice) => Promise<string | null>;
  /** Sends it as if the person had typed it. */
  readonly send: (text: string) => void;
  /** Puts it into the line that the person types in. */
  readonly prefill: (text: string) => void;
  /** Runs something that tells what it does, and is interrupted as a turn is. */
  readonly runWork: (start: (signal: AbortSignal) => AsyncGenerator<ThreadEvent, TurnOutcome>) => Promise<TurnOutcome>;
  /** Shows what was said in the thread that is gone on with now. */
  readonly showPast: () => Promise<void>;
  /** Lets the person edit a text in their editor; null: they have none, or it failed, which was told. */
  readonly edit: (text: string) => Promise<string | null>;
  /** Puts a text where the person can paste it; says how, in a sentence. */
  readonly copy: (text: string) => Promise<string>;
  /** Switches the colours. */
  readonly chooseTheme: (theme: ThemeName) => void;
  /** Shows reasoning otherwise, in what comes. */
  readonly showReasoning: (view: ReasoningView) => void;
  /** Logs the person in; false: they did not, which was told. */
  readonly logIn: (way: LoginWay) => Promise<boolean>;
  /** Ends the program. */
  readonly leave: () => void;
}

export type ReasoningView = "shown" | "folded" | "hidden";

export type LoginWay = "browser" | "code" | "key";

export type ThemeName = "auto" | "dark" | "light" | "plain";

export interface CommandPage {
  readonly title: string;
  readonly text: string;
  readonly kind: "text" | "diff" | "markdown";
}

export interface FollowedText {
  readonly title: string;
  /** All of it that there is now. */
  readonly read: () => string;
}

export interface Choice {
  readonly title: string;
  readonly options: readonly ChoiceOption[];
}

interface ChoiceOption {
  readonly value: string;
  readonly label: string;
  /** A clause; empty: none is needed. */
  readonly description: string;
}
