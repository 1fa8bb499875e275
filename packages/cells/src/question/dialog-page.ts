import type { Answer, PrefixQuestion } from "@unroll/protocol";
import type { StyledLine } from "@unroll/screen";

/** What is asked, for a dialogue: nothing in it is cut, and each row of what is asked stands behind a mark of ours. */
export interface DialogPage {
  /** Of the question of the model or the field of the form that it asks; null: it asks for an answer to the whole. */
  readonly id: string | null;
  readonly title: string;
  readonly lines: readonly StyledLine[];
  readonly choices: readonly DialogChoice[];
  /** What may be typed instead of a choice; null: nothing. */
  readonly input: DialogInput | null;
}

/** A line of a dialog to type in. */
interface DialogInput {
  /** Names what is typed. */
  readonly label: string;
  /** What stands there at first. */
  readonly prefill: string;
}

/** A line of a dialog to choose. */
export interface DialogChoice {
  /** The key that takes it, as it is typed. */
  readonly key: string;
  readonly label: string;
  /** What it means; empty: the label says it. */
  readonly description: string;
  readonly action: ChoiceAction;
}

/** What choosing a line of a dialog does. */
type ChoiceAction =
  /** It is the answer. */
  | { readonly type: "answer"; readonly answer: Answer }
  /** The prefix is edited first, then `approved.always` with it. */
  | { readonly type: "edit_prefix"; readonly prefix: readonly string[] }
  /** The person says what to do instead: `denied` with it as the reason. */
  | { readonly type: "tell" }
  /** The value for this page (`id`); the next page follows. */
  | { readonly type: "value"; readonly value: string | boolean }
  /** A no, and the thread goes on with the model that it was opened with. */
  | { readonly type: "own_model"; readonly opened: PrefixQuestion["opened"] }
  /** On to the next page. */
  | { readonly type: "next" };
