import { showHidden } from "@unroll/text";

/** HTML that may be inserted into a page unchanged. Nothing but `html` makes it. */
class HtmlText {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

export type Markup = HtmlText;

type Part = Markup | string | number | readonly Part[] | null;

/**
 * A template of HTML. Values are inserted as text, whatever they hold: its characters are escaped for elements and for
 * attributes in double quotes, and those that nobody sees are written out. Other templates and lists of them go in as
 * they are; null is nothing. Never put anything into a tag's or an attribute's name, a script or a style.
 */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  const text = strings.reduce((whole, string, at) => whole + toText(parts[at - 1] ?? null) + string);
  return new HtmlText(text);
}

function toText(part: Part): string {
  if (part === null) return "";
  if (part instanceof HtmlText) return part.toString();
  if (typeof part === "object") return part.map(toText).join("");
  return typeof part === "number" ? String(part) : escape(part);
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escape(text: string): string {
  return showHidden(text.replaceAll("\r\n", "\n")).replaceAll(/[&<>"']/g, (character) => entities[character] ?? "");
}
