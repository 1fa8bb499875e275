import { showHidden } from "@unroll/text";
import type { ArgumentChoice } from "./terminal-command.ts";

/**
 * The choices that begin with what is typed of an argument, then those that have a word that does. Those with hidden
 * characters, as a server's model may have, are left out: you could not see what you send.
 */
export function findChoices(all: readonly ArgumentChoice[], typed: string): readonly ArgumentChoice[] {
  const wanted = typed.toLowerCase();
  const choices = all.filter(({ value }) => showHidden(value) === value);
  const named = choices.filter(({ value, label = value }) => startsWith(value, wanted) || startsWith(label, wanted));
  const others = choices.filter(
    (choice) => !named.includes(choice) && [choice.value, choice.label ?? ""].some((text) => hasWord(text, wanted)),
  );
  return [...named, ...others];
}

function startsWith(text: string, wanted: string): boolean {
  return text.toLowerCase().startsWith(wanted);
}

/** Words begin behind blanks and signs: `codex` is one of `gpt-5-codex`. */
function hasWord(text: string, wanted: string): boolean {
  return Array.from(text.matchAll(/(?<![\p{L}\p{N}])[\p{L}\p{N}]/gu), ({ index }) => text.slice(index)).some((rest) =>
    startsWith(rest, wanted),
  );
}
