import type { Choice, ChoiceOption } from "./choice.ts";

/** The options that hold each word of what is searched, in whatever case; all where nothing is. */
export function findOptions({ options, search }: Pick<Choice, "options" | "search">): readonly ChoiceOption[] {
  const words = (search?.text ?? "").toLowerCase().split(/\s+/);
  return options.filter(({ label, detail = "" }) => {
    const text = `${label} ${detail}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
