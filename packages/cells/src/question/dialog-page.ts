import type { Answer, PrefixQuestion } from "@unroll/protocol";
import type { StyledLine } from "@unroll/screen";

/** A question as a page of a dialog. Nothing in it is cut, and each row of the question follows one of our marks. */
export interface DialogPage {
  /** The id of the model's question or of the form's field; null: the page asks for an answer to the whole. */
  readonly id: string | null;
  readonly title: string;
  readonly lines: readonly StyledLine[];
  readonly choices: readonly DialogChoice[];
  /** A text field instead of a choice; null: there is none. */
  readonly input: DialogInput | null;
}

/** A line of a dialog to type in. */
interface DialogInput {
  /** Names what is typed. */
  readonly label: string;
  /** The field's initial text. */
  readonly prefill: string;
}

/** A line of a dialog to choose. */
export interface DialogChoice {
  /** The key that takes it, as it is typed. */
  readonly key: string;
  readonly label: string;
  /** The meaning of the choice; empty: the label says enough. */
  readonly description: string;
  readonly action: ChoiceAction;
}

/** The effect of a choice. */
type ChoiceAction =
  /** It is the answer. */
  | { readonly type: "answer"; readonly answer: Answer }
  /** The prefix is edited first, then `approved.always` with it. */
  | { readonly type: "edit_prefix"; readonly prefix: readonly string[] }
  /** The person says what to do instead: `denied` with it as the reason. */
  | { readonly type: "tell" }
  /** The value for this page (`id`); the next page follows. */
  | { readonly type: "value"; readonly value: string | boolean }
  /** Denies the change: the thread continues with the model that it was opened with. */
  | { readonly type: "own_model"; readonly opened: PrefixQuestion["opened"] }
  /** On to the next page. */
  | { readonly type: "next" };
