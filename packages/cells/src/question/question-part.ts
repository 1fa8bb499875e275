import type { Role } from "@unroll/screen";

/** A part of what is asked, with our word for what it is. */
export interface QuestionPart {
  /** Ours, at most nine characters: never a word of what is asked. */
  readonly label: string;
  readonly text: string;
  readonly roles?: readonly Role[];
  /** Sentences, which are broken between words. Absent: every character counts. */
  readonly isProse?: boolean;
}

/** What is asked, whole, for whoever shows it. */
export interface AskedText {
  readonly title: string;
  readonly parts: readonly QuestionPart[];
}
