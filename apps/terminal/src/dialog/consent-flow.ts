import { openChoice } from "@unroll/screen";
import type { Consent } from "../command/terminal-command.ts";
import { type DialogFlow, done } from "./dialog-flow.ts";

/** Asks you to confirm. "no" is selected, and leaving denies. */
export function createConsentFlow({ title, facts }: Consent): DialogFlow<boolean> {
  const head = [
    { spans: [{ text: title, roles: ["strong"] }], wrap: "words" } as const,
    ...facts.map((text) => ({ spans: [{ text }], wrap: "words" }) as const),
  ];
  const options = [
    { id: "y", key: "y", label: "yes", isConsent: true as const },
    { id: "n", key: "n", label: "no" },
  ];
  return {
    choice: { ...openChoice(head, options), selected: 1 },
    typed: null,
    next: (answer) => done(answer?.id === "y"),
  };
}
