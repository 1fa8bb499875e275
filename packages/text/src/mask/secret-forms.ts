/** A text by which a value is found. */
export interface SecretForm {
  /** How it is written, for its stand-in; empty: as it is. */
  readonly label: string;
  readonly text: string;
  /** False: it only has escapes for some characters of the value. */
  readonly isLiteral: boolean;
}

/**
 * A value as it is and in base64 (both alphabets, padded or not; within other data the part of it that the value alone makes).
 * And what programs usually write with escapes, so that a patch can put it back: with line ends as terminals write them, in a
 * JSON string, in an address or a form. Labels depend on the place in this list alone, so that they say nothing of the value.
 */
export function listSecretForms(value: string): readonly SecretForm[] {
  const forms = [
    { label: "", text: value, isLiteral: true },
    { label: "crlf", text: value.replaceAll(/\r?\n/g, "\r\n"), isLiteral: false },
    { label: "json", text: JSON.stringify(value).slice(1, -1), isLiteral: false },
    { label: "json-2", text: JSON.stringify(value).slice(1, -1).replaceAll("/", "\\/"), isLiteral: false }, // as PHP writes it
    ...number("url", encodeForUrls(value)).map((form) => ({ ...form, isLiteral: false })),
    ...number("base64", encodeBase64(value)).map((form) => ({ ...form, isLiteral: true })),
  ];
  return forms.filter(({ text }, index) => forms.findIndex((form) => form.text === text) === index);
}

function number(label: string, texts: readonly string[]): readonly Omit<SecretForm, "isLiteral">[] {
  return texts.map((text, index) => ({ label: index === 0 ? label : `${label}-${index + 1}`, text }));
}

/** Programs differ in what they escape (`'`, `/`), in the case of the digits, and in forms a blank is a `+`. */
function encodeForUrls(value: string): readonly string[] {
  const usual = encodeURIComponent(value.toWellFormed());
  const strict = usual.replaceAll(/[!'()*]/g, toPercentCode);
  const escaped = [usual, strict, usual.replaceAll("%2F", "/"), strict.replaceAll("%2F", "/")];
  const cased = escaped.flatMap((text) => [text, text.replaceAll(/%../g, (code) => code.toLowerCase())]);
  const forms = cased.flatMap((text) => [text, text.replaceAll("%20", "+")]);
  const all = [...new TextEncoder().encode(value)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
  return [...forms, all, all.toUpperCase()];
}

function toPercentCode(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

function encodeBase64(value: string): readonly string[] {
  const bytes = new TextEncoder().encode(value);
  const whole = toBase64(bytes);
  const usual = [whole, whole.replace(/=+$/, ""), ...[0, 1, 2].map((offset) => encodeWithin(bytes, offset))];
  return [...usual, ...usual.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"))];
}

/** The encoded characters that do not depend on the text before and after; 3n + `offset` bytes come before. */
function encodeWithin(bytes: Uint8Array, offset: number): string {
  const start = Math.ceil((offset * 8) / 6);
  const end = Math.floor(((offset + bytes.length) * 8) / 6);
  const padded = new Uint8Array(offset + bytes.length);
  padded.set(bytes, offset);
  return toBase64(padded).slice(start, end);
}

function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}
