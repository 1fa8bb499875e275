import type { ResolvedConfig } from "@unroll/config";
import type { Host } from "@unroll/harness";
import type { ProgramFlags } from "@unroll/program";
import type { ThreadEvent, TurnOutcome } from "@unroll/protocol";
import type { KeyAction, StyledLine } from "@unroll/screen";
import type { HostedThread, StartedTurn } from "@unroll/thread-host";
import type { ThreadView } from "@unroll/view";
import type { TerminalThreads } from "../terminal-threads.ts";
import type { HelpEntry } from "../text/render-help.ts";

/** A command that you type as `/name argument`. */
export interface TerminalCommand {
  /** Without the slash. */
  readonly name: string;
  /** A clause, for the list. */
  readonly description: string;
  /** The action whose key does the same; the list shows the key. Absent: none. */
  readonly key?: KeyAction;
  /** Its argument, as `[FOCUS]`; a function if that depends on the config. Null: it takes none. */
  readonly argument: string | ((config: ResolvedConfig) => string) | null;
  /** Arguments that the list below the line offers, in its order. Absent: none. */
  readonly choices?: (context: ArgumentContext) => readonly ArgumentChoice[] | Promise<readonly ArgumentChoice[]>;
  /** Whether it may run during a turn. */
  readonly timing: "always" | "between_turns";
  /** Without an argument it only shows or asks something, so Enter may run it from the start of its name. Absent: Enter completes the name first. */
  readonly isHarmless?: true;
  /** Runs it. `argument`: trimmed; empty: none. An error that it throws is shown. */
  run(context: CommandContext, argument: string): Promise<void>;
}

/** A value to choose: a whole argument that a command may get, or an answer to its question. */
export interface ArgumentChoice {
  /** As an argument, one that ends with `=` or a blank is continued. */
  readonly value: string;
  /** Shown in place of the value. */
  readonly label?: string;
  /** A clause, or empty. */
  readonly description: string;
}

/** The facts that choices depend on. */
export type ArgumentContext = Pick<CommandContext, "thread" | "threads" | "host" | "signal">;

/** The parts of the program that commands use. Small, so that they run without a terminal. */
export interface CommandContext {
  readonly threads: TerminalThreads;
  /** The current thread. */
  readonly thread: TerminalThreads["current"];
  readonly host: Host;
  /** The command line's flags. */
  readonly flags: ProgramFlags;
  /** The view of the current thread. */
  readonly view: ThreadView;
  /** Aborts when the program ends. */
  readonly signal: AbortSignal;
  /** The keys and their actions, for the help. */
  readonly keys: readonly HelpEntry[];
  /** All commands, for the help; their descriptions name their keys. */
  readonly commands: readonly TerminalCommand[];
  /** Shows a text. */
  readonly tell: (text: string) => void;
  /** Shows a sentence until the next key, or as text if there is no screen. */
  readonly note: (text: string) => void;
  /** Shows Markdown. */
  readonly show: (markdown: string) => void;
  /** Shows lines that are rendered for the width of the screen. */
  readonly lines: (render: (columns: number) => readonly StyledLine[]) => void;
  /** Shows the whole thread on a page. */
  readonly pageThread: () => Promise<void>;
  /** Shows a long text: on a page, if there is a screen. */
  readonly page: (page: CommandPage) => void;
  /** Shows a growing text on a page. */
  readonly follow: (text: FollowedText) => void;
  /** Asks you to choose; null: you left the question. */
  readonly choose: (choice: Choice) => Promise<string | null>;
  /** Runs something that you may stop. `what`: says so where nothing else shows it. Null: you stopped it. */
  readonly wait: <Result>(what: string, run: (signal: AbortSignal) => Promise<Result>) => Promise<Result | null>;
  /** Asks you to confirm. False: you declined. */
  readonly confirm: (consent: Consent) => Promise<boolean>;
  /** Sends a text as if you had typed it. */
  readonly send: (text: string) => void;
  /** Writes a text into your input line. */
  readonly prefill: (text: string) => void;
  /** Runs a turn of the current thread. */
  readonly runTurn: (start: (thread: HostedThread<unknown>) => Promise<StartedTurn>) => Promise<TurnOutcome>;
  /** Runs a turn of another thread, and shows its items among those of this one. */
  readonly runBeside: (
    start: (signal: AbortSignal) => AsyncGenerator<ThreadEvent, TurnOutcome>,
  ) => Promise<TurnOutcome>;
  /** Shows the past of the current thread; false: it has none. */
  readonly showPast: () => Promise<boolean>;
  /** Opens a text in your editor; null: it failed, and an error was shown. */
  readonly edit: (text: string) => Promise<string | null>;
  /** Copies a text to the clipboard. Returns a sentence that says how. */
  readonly copy: (text: string) => Promise<string>;
  /** Whether your line has Vim keys; null: it cannot have them. */
  readonly hasVim: boolean | null;
  readonly setVim: (isOn: boolean) => void;
  /** Switches the colours. */
  readonly chooseTheme: (theme: ThemeName) => void;
  /** Changes how new reasoning is shown. */
  readonly showReasoning: (view: ReasoningView) => void;
  /** Logs you in; false: it failed, and an error was shown. */
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
  /** All of it now. */
  readonly read: () => string;
}

export interface Choice {
  readonly title: string;
  /** The value in force: it is selected and marked. Absent or null: none is. */
  readonly current?: string | null;
  /** The value that is selected at first. Absent: the one in force, or else the first one. */
  readonly selected?: string | null;
  /** A sentence above the options, until the next key. Absent: none. */
  readonly notice?: string | null;
  readonly options: readonly ChoiceOption[];
  /** Keys that change the list, or act on its selected option, while it is open. */
  readonly actions?: readonly ChoiceAction[];
  /** You may also type a value that is not listed. */
  readonly typed?: {
    readonly label: string;
    /** Shown in the empty field. */
    readonly placeholder: string;
  };
}

export interface ChoiceAction {
  /** Shown beside its key. Line by line you type it, with the number or the name of an option. */
  readonly name: string;
  /** Its keys run it. */
  readonly action: KeyAction;
  /** Whether it acts on an option, and not on the whole list. */
  readonly isOfOption: boolean;
  /** Asked first; null: nothing. Absent: never. */
  readonly ask?: (value: string) => ActionQuestion | null;
  /** Returns the list that is shown next, or a value that ends the question as if you had chosen it. `text`: your answer to `ask`. */
  readonly run: (value: string | null, text: string | null) => Choice | string | Promise<Choice | string>;
}

export type ActionQuestion =
  | ({ readonly type: "consent" } & Consent)
  /** A text of one line, which starts with `text`. */
  | { readonly type: "text"; readonly title: string; readonly label: string; readonly text: string };

/** A question before something that costs tokens, or allows more. */
export interface Consent {
  readonly title: string;
  /** Sentences with the consequences. */
  readonly facts: readonly string[];
}

interface ChoiceOption extends ArgumentChoice {
  /** Absent: its number. Not in a list that you search. */
  readonly key?: string;
  /** Facts in columns, the most important one first; a narrow screen leaves out the last ones. In a list that you search. */
  readonly columns?: readonly string[];
  /** Sentences about the selected option, below the list. They are searched, too. */
  readonly about?: readonly string[];
  /** Why it cannot be chosen now: choosing it shows this sentence. */
  readonly refusal?: string;
}
