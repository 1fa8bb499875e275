import { parse, TomlError } from "smol-toml";
import type { FileFault, TextPlace } from "../file/file-fault.ts";
import { type BrokenText, readFrontMatter, toBroken } from "../file/read-front-matter.ts";
import type { FileSurveyRead, ReadText } from "../file/survey-files.ts";
import { type AgentRole, type FileRole, plainRole } from "./role.ts";
import { claudeFields, codexFields, instructions, type RoleField } from "./role-fields.ts";

/**
 * Reads a file that defines a role. A field that nobody here understands may restrict the role, so such a file is not used. A field that only adds
 * something is reported, and left out.
 */
export async function parseRole(path: string, read: ReadText): Promise<FileSurveyRead<FileRole>> {
  const toFault = ({ line, column }: TextPlace, problem: string, isSkipped: boolean): FileFault => ({
    path,
    place: { line, column },
    problem,
    isSkipped,
  });
  const fields = path.endsWith(".toml") ? readToml(read) : readMarkdown(read);
  if (fields.type === "broken") return { item: null, faults: [toFault(fields, fields.problem, true)] };
  let role: Partial<AgentRole> = {};
  const faults: FileFault[] = [];
  const { known, values, placeOf, body } = fields;
  for (const [key, value] of Object.entries(values)) {
    const place = placeOf(key);
    const said = Object.hasOwn(known, key) ? (known[key]?.(value) ?? null) : null;
    if (said === null) faults.push(toFault(place, `\`${key}\` ${unknownField}`, true));
    else if (said.type === "wrong") faults.push(toFault(place, `\`${key}\` ${said.problem}`, true));
    else if (said.type === "unused") faults.push(toFault(place, `\`${key}\` has no effect here and is ignored`, false));
    else role = join(role, said.role);
  }
  const bodied = body === null ? null : instructions(body);
  if (bodied?.type === "says") role = join(role, bodied.role);
  const missing = listMissing(values, body);
  faults.push(...missing.map((key) => toFault({ line: 1, column: 1 }, `${key} is missing`, true)));
  const { name, description } = role;
  const isWhole = name !== undefined && description !== undefined && !faults.some(({ isSkipped }) => isSkipped);
  return { item: isWhole ? { ...plainRole, ...role, name, description, path } : null, faults };
}

const unknownField = "is a field that is not understood, and it may restrict the role: remove it";

/** The fields of a file. */
interface RoleFields {
  readonly type: "fields";
  readonly known: Readonly<Record<string, RoleField>>;
  readonly values: Readonly<Record<string, unknown>>;
  readonly placeOf: (key: string) => TextPlace;
  /** The text behind the fields; null: the fields are all. */
  readonly body: string | null;
}

function readToml({ text, bytes, size }: ReadText): RoleFields | BrokenText {
  if (bytes < size) return explainLength(size, bytes);
  try {
    const values = parse(text, { unsafeKeyBehaviour: "throw" });
    return { type: "fields", known: codexFields, values, placeOf: (key) => findKey(text, key), body: null };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    // The error itself goes no further: it quotes the line.
    const fault = /document: (.*)/u.exec(error.message)?.[1] ?? "it cannot be read";
    return toBroken(`this is not valid TOML: ${fault}`, error);
  }
}

function findKey(text: string, key: string): TextPlace {
  const index = text.split("\n").findIndex((line) => {
    const begun = /^\s*\[*\s*["']?([\w-]+)/u.exec(line);
    return begun?.[1] === key;
  });
  return { line: Math.max(index, 0) + 1, column: 1 };
}

function readMarkdown({ text, bytes, size }: ReadText): RoleFields | BrokenText {
  if (bytes < size) return explainLength(size, bytes);
  const header = readFrontMatter(text);
  if (header.type === "broken") return header;
  const { value, body } = header;
  if (!isRecord(value)) return toBroken("the front matter must be lines of `key: value`");
  return { type: "fields", known: claudeFields, values: value, placeOf: (key) => header.placeOf(key), body };
}

/** The rest may restrict the role. */
function explainLength(size: number, bytes: number): BrokenText {
  return toBroken(`it has ${size} bytes, and at most ${bytes} are read: shorten it`);
}

/** Restraints add up. */
function join(role: Partial<AgentRole>, more: Partial<AgentRole>): Partial<AgentRole> {
  const withoutTools = [...(role.withoutTools ?? []), ...(more.withoutTools ?? [])];
  return { ...role, ...more, withoutTools };
}

/** A field with a wrong value has a fault of its own. */
function listMissing(values: RoleFields["values"], body: string | null): readonly string[] {
  const required = ["name", "description", ...(body === null ? ["developer_instructions"] : [])];
  const missing = required.filter((key) => !Object.hasOwn(values, key)).map((key) => `\`${key}\``);
  return body?.trim() === "" ? [...missing, "the text below the front matter"] : missing;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
