import type { TextEdit } from "../edit/text-edit.ts";
import type { VimState } from "../vim/vim-command.ts";
import type { CandidateList } from "./candidate.ts";
import type { Pieces } from "./piece.ts";

/** The line that a person writes, as plain data. Functions of this package give the next one; it is never changed. */
export interface Composer extends TextEdit {
  /** The text as it is written, with a stand-in character for each piece. */
  readonly text: string;
  readonly pieces: Pieces;
  readonly mode: ComposerMode;
  /** The completions that are shown, or null. */
  readonly popup: CandidateList | null;
  /** The word, by its offset, whose completions were put away. */
  readonly dismissedAt: number | null;
  /** The column that moving up and down keeps to. */
  readonly goal: number | null;
  readonly past: readonly TextEdit[];
  readonly future: readonly TextEdit[];
  /** Killed texts, newest last. */
  readonly kills: readonly string[];
  /** Null: Vim keys are off. */
  readonly vim: VimState | null;
  /** The kind of the last key: consecutive typing is undone together, consecutive kills are yanked as one. */
  readonly last: "typing" | "killing" | { readonly yanked: number; readonly from: number } | null;
}

type ComposerMode =
  | { readonly type: "writing" }
  /** An entry of the history is shown; `draft` is what was written before. `index` counts from the newest, 0. */
  | { readonly type: "recalling"; readonly index: number; readonly draft: TextEdit }
  /** The history is searched (`^R`). `index` is the entry that is shown, or null; `isMissed`: nothing holds the query. */
  | {
      readonly type: "searching";
      readonly query: string;
      readonly index: number | null;
      readonly isMissed: boolean;
      readonly draft: TextEdit;
    };

/** The composer's surroundings. */
export interface ComposerContext {
  readonly columns: number;
  /** At most so many rows of text are shown; the rest is scrolled. */
  readonly maxRows: number;
  /** So many completions are listed at once. Absent: `maxRows`. */
  readonly maxListed?: number;
  /** Sent messages with their images, oldest first. */
  readonly history: readonly Draft[];
  /** Shown where nothing is written. */
  readonly placeholder?: string;
}

/** Nothing is written, nothing is open: where every composer begins. */
export const emptyComposer: Composer = {
  text: "",
  caret: 0,
  pieces: new Map(),
  mode: { type: "writing" },
  popup: null,
  dismissedAt: null,
  goal: null,
  past: [],
  future: [],
  kills: [],
  vim: null,
  last: null,
};

/** A text and its images. */
export interface Draft {
  /** With all pastes in full, and `[image 1]` for an image. */
  readonly text: string;
  /** Sources of the images, in the order of their numbers. */
  readonly images: readonly string[];
}

/** The draft, ready to be sent. */
export interface Submission extends Draft {
  /** A command of the person's own: the text began with `!`, which is left out here. */
  readonly isShell: boolean;
}

/** The result of a key. `unhandled`: the composer has no use for it; the caller may (escape, ^C at an empty line, ^G). */
export interface ComposerStep {
  readonly composer: Composer;
  readonly effect:
    | { readonly type: "submitted"; readonly submission: Submission }
    | { readonly type: "unhandled" }
    | null;
}
