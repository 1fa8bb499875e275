import { HarnessError } from "../harness-error.ts";
import { checkCall } from "./check-call.ts";

/**
 * Whether options are the right thing for a caller whose compiler did not look. Throws `HarnessError` `invalid_options` with
 * one sentence that names the call, the place and what to do.
 */
export function checkOptions(call: string, options: unknown, known: Readonly<Record<string, true>>): void {
  if (!isObject(options)) throw invalid(`${call}: options are expected: ${call}({ host: nodeHost() }).`);
  checkKnown(call, options, known);
}

/** As `checkOptions`, of options that may be left out: those of a thread of a harness. */
export function checkOwnOptions(call: string, options: unknown, known: Readonly<Record<string, true>>): void {
  if (!isObject(options)) throw invalid(`${call}: options are expected as an object: { tools, instructions }.`);
  checkKnown(call, options, known);
}

function checkKnown(call: string, options: object, known: Readonly<Record<string, true>>): void {
  checkKeys({ call }, options, known);
  for (const check of [checkPerson, checkTools, checkTexts, checkParts]) check(call, options);
}

/** As `checkOptions`, of the machine. */
export function checkHost(call: string, options: object): void {
  const host: unknown = Reflect.get(options, "host");
  if (host === undefined) throw invalid(`${call}: host is missing: pass nodeHost() of "@unroll/harness/node".`);
  const lacking = Object.keys(hostShape).filter((key) => Reflect.get(Object(host), key) === undefined);
  if (lacking.length > 0)
    throw invalid(`${call}: host lacks ${lacking.join(", ")}: begin with { ...nodeHost() } of "@unroll/harness/node".`);
  checkCall(`${call}, host`, host, hostShape);
}

interface Naming {
  readonly call: string;
  /** A sentence that goes behind what is wrong. Absent: none. */
  readonly hint?: string;
}

/** As `checkOptions`, of the names in an object. */
export function checkKeys({ call, hint }: Naming, options: object, known: Readonly<Record<string, true>>): void {
  for (const key of Object.keys(options)) {
    if (key in known) continue;
    const near = Object.keys(known).find((name) => isNear(name, key));
    const remedy = near === undefined ? `it takes ${Object.keys(known).join(", ")}.` : `did you mean ${near}?`;
    throw invalid(`${call} does not know ${key}: ${remedy}${hint === undefined ? "" : ` ${hint}`}`);
  }
}

const hostShape = {
  env: "an object",
  cwd: "text",
  homeDirectory: "text",
  platform: "text",
  ownFolders: "a list",
  now: "a function",
  localDay: "a function",
  elapsed: "a function",
  random: "a function",
  newId: "a function",
} as const;

function checkPerson(call: string, options: object): void {
  const person: unknown = Reflect.get(options, "person");
  if (person === undefined || person === null || typeof person === "function") return;
  const answers = [Reflect.get(Object(person), "approve"), Reflect.get(Object(person), "answer")];
  if (answers.some((answer) => typeof answer === "function")) return;
  throw invalid(`${call}: person answers nothing: give it approve (or answer, for all questions), or pass a function.`);
}

/** As `checkOptions`, of the tools. Those that a function makes are checked when it has made them. */
export function checkTools(call: string, options: object): void {
  const tools: unknown = Reflect.get(options, "tools") ?? [];
  if (typeof tools === "function") return;
  if (!Array.isArray(tools)) throw invalid(`${call}: tools has to be a list.`);
  const wrong = tools.findIndex((tool: unknown) => !isObject(tool) || !("spec" in tool));
  if (wrong !== -1) throw invalid(`${call}: tools[${wrong}] is no tool: make it with defineTool({ … }).`);
}

/** What is an object with something that is called, and where it comes from. */
const parts = [
  { key: "model", member: "stream", remedy: `a model client; a model's name goes into config: { model: "…" }` },
  { key: "store", member: "create", remedy: "a thread store: openThreadStore({ … }) of @unroll/rollout" },
  { key: "budget", member: "admit", remedy: "a budget: createBudget({ … })" },
  { key: "journal", member: "record", remedy: "a journal, with record and settled" },
];

const functions = [
  ["gate", "(own) => own"],
  ["runner", "(own) => own"],
  ["afterCall", "(call) => null"],
] as const;

function checkParts(call: string, options: object): void {
  for (const { key, member, remedy } of parts) {
    const part: unknown = Reflect.get(options, key);
    if (part === undefined || part === null) continue;
    if (typeof Reflect.get(Object(part), member) !== "function") throw invalid(`${call}: ${key} has to be ${remedy}.`);
  }
  const [config, guards]: readonly unknown[] = ["config", "guards"].map((key): unknown => Reflect.get(options, key));
  if (config !== undefined && !isObject(config)) throw invalid(`${call}: config has to be an object: { model: "…" }.`);
  checkGuards(call, guards ?? []);
  for (const [key, example] of functions) {
    const value: unknown = Reflect.get(options, key);
    if (value === undefined || typeof value === "function") continue;
    throw invalid(`${call}: ${key} has to be a function: ${example}.`);
  }
}

function checkGuards(call: string, guards: unknown): void {
  if (!Array.isArray(guards)) throw invalid(`${call}: guards has to be a list.`);
  const wrong = guards.findIndex((guard: unknown) => typeof Reflect.get(Object(guard), "before") !== "function");
  if (wrong === -1) return;
  throw invalid(`${call}: guards[${wrong}] has to be a guard: { async *before(facts) { return { type: "go" }; } }.`);
}

function checkTexts(call: string, options: object): void {
  for (const key of ["instructions", "userAgent"]) {
    const text: unknown = Reflect.get(options, key);
    if (text === undefined || (typeof text === "string" && text.trim() !== "")) continue;
    throw invalid(`${call}: ${key} has to be text that is not empty; leave it out for the default.`);
  }
}

/** Another spelling of it, or the beginning. */
function isNear(name: string, key: string): boolean {
  const [a, b] = [name, key].map((each) => each.toLowerCase().replaceAll(/[^a-z]/g, ""));
  return a === b || name.startsWith(key) || key.startsWith(name);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function invalid(message: string): HarnessError {
  return new HarnessError("invalid_options", message);
}
