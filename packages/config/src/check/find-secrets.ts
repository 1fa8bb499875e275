import { shortestSecret } from "@unroll/text";
import { findKey } from "../keys/config-schema.ts";
import { type Kind, kinds } from "../keys/kinds.ts";
import { type KeyPath, isTable } from "../toml/table.ts";

/** A text of a config that may be, or contain, a credential. */
export interface FoundSecret {
  readonly path: KeyPath;
  readonly how: NonNullable<Kind["secret"]>;
  readonly text: string;
}

/** Which part of the value at `path` may be a credential; null: none. */
export function findSecrecy(path: KeyPath): FoundSecret["how"] | null {
  const kind = findKey(path)?.kind;
  return (typeof kind === "string" ? kinds[kind].secret : null) ?? null;
}

/** All of a table of `config.toml`, of services that are not in use, too. */
export function findSecrets(table: object): readonly FoundSecret[] {
  return listSecrets(table, []);
}

function listSecrets(table: object, path: KeyPath): readonly FoundSecret[] {
  return Object.entries<unknown>({ ...table }).flatMap(([name, value]) => {
    const place = [...path, name];
    const how = findSecrecy(place);
    if (how === null) return isTable(value) ? listSecrets(value, place) : [];
    const texts = isTable(value) ? Object.entries(value) : [[null, value] as const];
    return texts.flatMap(([key, text]) =>
      typeof text === "string" ? [{ path: key === null ? place : [...place, key], how, text }] : [],
    );
  });
}

/** As commands are not given them by default. */
const variableName = /KEY|SECRET|TOKEN|PASSWORD/i;
/** Shorter words and numbers also occur in ordinary text. */
const shortestWord = 24;

/** Whether a variable of nobody's in particular looks like a credential. */
export function isCredentialVariable(name: string, value: string): boolean {
  return variableName.test(name) && isCredentialValue(value);
}

/** A short value, a path, an address, plain words and figures are none, whatever they are called. */
function isCredentialValue(value: string): boolean {
  if (value.length < shortestSecret || /^(?:~|\.{1,2})?\/|^[a-z][a-z\d+.-]*:\/\//i.test(value)) return false;
  return value.length >= shortestWord || !/^(?:[a-z]+(?:[-_. ][a-z]+)*|[\d.,:-]+)$/i.test(value);
}

/** Whether what a table calls so may be a credential. */
export function isCredentialName(name: string): boolean {
  return /auth|cookie|key|password|secret|token/i.test(name);
}

/** Whether the text that a table has under this name looks like a credential. */
export function isCredential(name: string, text: string): boolean {
  return isCredentialName(name) && isCredentialValue(withoutScheme(text));
}

/** `Bearer x` is the credential `x`, which may also stand alone. */
export function withoutScheme(value: string): string {
  return value.trim().replace(/^(?:Bearer|Basic|Token) +/i, "");
}
