import type { TextEdit } from "../edit/text-edit.ts";
import type { KeyAction } from "../key/key-actions.ts";
import type { StyledLine } from "../line/styled-line.ts";

/** One of the answers of a dialog. */
export interface ChoiceOption {
  readonly id: string;
  /** The key that chooses it, as `InputEvent` names keys; null where only arrows and enter do. */
  readonly key: string | null;
  readonly label: string;
  readonly detail?: string;
  /** Facts in columns of their own, the most important one first; a narrow screen leaves out the last ones. Only where you search. */
  readonly columns?: readonly string[];
  /** Sentences that are shown below the list while the option is selected, where there is room. They are searched, too. */
  readonly about?: readonly string[];
  /** Why it cannot be chosen now: choosing it shows this sentence. */
  readonly refusal?: string;
  /** It allows something, so it counts only after the whole head was shown. Until then, its key shows the next page. */
  readonly isConsent?: true;
  /** A text that you write with this answer: choosing it opens the field, which starts with `text`; enter answers. */
  readonly field?: {
    readonly text: string;
    readonly placeholder?: string;
    /** The field shows only the length of the text. */
    readonly isSecret?: true;
  };
}

/** A key that acts on the list, or on its selected option, while the dialog stays open. */
export interface ChoiceAction {
  readonly id: string;
  /** Its keys run it. */
  readonly action: KeyAction;
  readonly label: string;
  /** It acts on an option, so it does nothing in an empty list. */
  readonly isOfOption: boolean;
}

/** A question with its answers, as plain data. */
export interface Choice {
  /** The whole subject of the question; it scrolls if it does not fit. */
  readonly head: readonly StyledLine[];
  readonly options: readonly ChoiceOption[];
  /** Besides choosing. */
  readonly actions: readonly ChoiceAction[];
  /** A sentence above the options, until the next key; null: none. */
  readonly notice: string | null;
  /** The text that filters options by their words; null: keys choose. */
  readonly search: TextEdit | null;
  /** Among the options that are found. */
  readonly selected: number;
  /** The texts in the fields, by the option's id. */
  readonly fields: Readonly<Record<string, TextEdit>>;
  readonly isWriting: boolean;
  /** The first row of the head that is shown. */
  readonly scroll: number;
  /** Whether the head was scrolled to its end. It stays true when you scroll back. */
  readonly isRead: boolean;
  /** A search in the head. */
  readonly finding: {
    /** The text that is being typed; null: none is. */
    readonly typing: TextEdit | null;
    /** Null: nothing was searched yet. `isMissed`: the head does not hold it. */
    readonly query: string | null;
    readonly isMissed: boolean;
  };
  /** Since when nothing was typed while it was shown, in ms of the caller's clock; null while it is not shown. */
  readonly quietSince: number | null;
  /** Whether keys count. */
  readonly isArmed: boolean;
}

/** The user's answer in a dialog. */
export interface DialogAnswer {
  readonly id: string;
  /** The text, for an option with a field. */
  readonly text: string | null;
}

/** An action that you want, and the dialog at that moment. */
export interface DialogAct {
  readonly id: string;
  /** The id of the selected option; null: the list is empty. */
  readonly option: string | null;
  /** The text that filters the options. */
  readonly search: string;
}

/** How a choice is made: by keys and arrows, or by typing, which finds options by their words. */
export type ChoiceWay = "keys" | "search";

/**
 * A question that is not shown yet, with `head` above the options. It takes no key before `showChoice`. If writing is the only
 * answer, the field is open at once.
 */
export function openChoice(
  head: readonly StyledLine[],
  options: readonly ChoiceOption[],
  way: ChoiceWay = "keys",
): Choice {
  const fields = options.flatMap(({ id, field }) =>
    field === undefined ? [] : [[id, { text: field.text, caret: field.text.length }] as const],
  );
  return {
    head,
    options,
    actions: [],
    notice: null,
    search: way === "search" ? { text: "", caret: 0 } : null,
    selected: 0,
    fields: Object.fromEntries(fields),
    isWriting: options.length === 1 && fields.length === 1,
    scroll: 0,
    isRead: false,
    finding: { typing: null, query: null, isMissed: false },
    quietSince: null,
    isArmed: false,
  };
}

/**
 * The terminal shows the dialog, since `at` (ms). A caller that can asks for the cursor's position right behind the frame and takes
 * the answer for it: what was typed before the person saw the dialog comes before that answer.
 */
export function showChoice(choice: Choice, at: number): Choice {
  return choice.quietSince === null ? { ...choice, quietSince: at } : choice;
}
