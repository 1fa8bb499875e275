import { checkShape, type ShapeKind } from "@unroll/text";
import { HarnessError } from "./harness-error.ts";

/**
 * Checks options for callers without types. Throws `HarnessError` `invalid_options` with one
 * sentence that names the call, the place and what to do.
 */
export function checkOptions(call: string, options: unknown, known: Readonly<Record<string, true>>): void {
  if (!isObject(options)) throw invalid(`${call}: options are expected: ${call}({ host: nodeHost() }).`);
  checkKnown(call, options, known);
}

/** Like `checkOptions`, for the options of a harness's thread, which may be left out. */
export function checkOwnOptions(call: string, options: unknown, known: Readonly<Record<string, true>>): void {
  if (!isObject(options)) throw invalid(`${call}: options are expected as an object: { tools, instructions }.`);
  checkKnown(call, options, known);
}

function checkKnown(call: string, options: object, known: Readonly<Record<string, true>>): void {
  checkKeys({ call }, options, known);
  for (const [key, [fits, what]] of Object.entries(rules)) {
    const value: unknown = Reflect.get(options, key);
    if (value !== undefined && !fits(value)) throw invalid(`${call}: ${key} has to be ${what}.`);
  }
  checkPerson(call, Reflect.get(options, "person"));
  checkTools(call, Reflect.get(options, "tools"));
  const guards: unknown = Reflect.get(options, "guards");
  const wrong = Array.isArray(guards)
    ? guards.findIndex((guard: unknown) => !isFunction(Reflect.get(Object(guard), "before")))
    : -1;
  if (wrong === -1) return;
  throw invalid(`${call}: guards[${wrong}] has to be a guard: { async *before(facts) { return { type: "go" }; } }.`);
}

type Rule = readonly [fits: (value: unknown) => boolean, what: string];

const isFunction = (value: unknown): boolean => typeof value === "function";
const isText = (value: unknown): boolean => typeof value === "string" && value.trim() !== "";
/** Whether a value has a method with that name. */
const has =
  (member: string): Rule[0] =>
  (value) =>
    value === null || isFunction(Reflect.get(Object(value), member));
const notEmpty = "text that is not empty; leave it out for the default";

const rules: Readonly<Record<string, Rule>> = {
  tools: [(value) => value === null || Array.isArray(value) || isFunction(value), "a list"],
  instructions: [isText, notEmpty],
  userAgent: [isText, notEmpty],
  model: [has("stream"), `a model client; a model's name goes into config: { model: "…" }`],
  store: [has("create"), "a thread store: openThreadStore({ … }) of @unroll/rollout"],
  budget: [has("admit"), "a budget: createBudget({ … })"],
  journal: [has("record"), "a journal, with record and settled"],
  config: [isObject, `an object: { model: "…" }`],
  guards: [Array.isArray, "a list"],
  agents: [Array.isArray, "a list of roles: [{ name, description }]"],
  gate: [isFunction, "a function: (own) => own"],
  runner: [isFunction, "a function: (own) => own"],
  afterCall: [isFunction, "a function: (call) => null"],
};

/** Like `checkOptions`, for the machine. */
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
  /** A sentence to append. Absent: none. */
  readonly hint?: string;
}

/** Like `checkOptions`, for the names in an object. */
export function checkKeys({ call, hint }: Naming, options: object, known: Readonly<Record<string, true>>): void {
  for (const key of Object.keys(options)) {
    if (key in known) continue;
    const near = Object.keys(known).find((name) => isNear(name, key));
    const remedy = near === undefined ? `it takes ${Object.keys(known).join(", ")}.` : `did you mean ${near}?`;
    throw invalid(`${call} does not know ${key}: ${remedy}${hint === undefined ? "" : ` ${hint}`}`);
  }
}

/** Like `checkOptions`, for limits: text would never be reached. */
export function checkLimits(call: string, limits: object, known: Readonly<Record<string, true>>): void {
  checkCall(call, limits, {});
  checkKeys({ call }, limits, known);
  const isLimit = (value: unknown): boolean => value === null || (typeof value === "number" && value >= 0);
  const wrong = Object.entries(limits).find(([, value]) => !isLimit(value));
  if (wrong !== undefined) throw invalid(`${call}: ${wrong[0]} has to be a number from 0 on; null: there is no limit.`);
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

function checkPerson(call: string, person: unknown): void {
  if (person === undefined || person === null || isFunction(person)) return;
  if (["approve", "answer"].some((name) => isFunction(Reflect.get(Object(person), name)))) return;
  throw invalid(`${call}: person answers nothing: give it approve (or answer, for all questions), or pass a function.`);
}

/** Like `checkOptions`, for a list of tools. Tools made by a function are checked when it has made them. */
export function checkTools(call: string, tools: unknown): void {
  const wrong = Array.isArray(tools) ? tools.findIndex((tool: unknown) => !isObject(tool) || !("spec" in tool)) : -1;
  if (wrong !== -1) throw invalid(`${call}: tools[${wrong}] is not a tool: make it with defineTool({ … }).`);
}

/** Another spelling, or a prefix. */
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

/** `checkShape` of `@unroll/text`, with its error converted by `takeCall`. */
export function checkCall(call: string, value: unknown, shape: Readonly<Record<string, ShapeKind>>): void {
  takeCall(() => checkShape(call, value, shape));
}

/**
 * Returns the result of `call`. A `TypeError`, by which packages below refuse an argument, becomes
 * `HarnessError` `invalid_options`, like all such errors of this package.
 */
export function takeCall<Made>(make: () => Made): Made {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new HarnessError("invalid_options", error.message);
  }
}

/** The names in `RunOptions` and `OutputOptions`. */
const known = { signal: true, output: true, outputSchema: true, schemaRepairs: true } as const;

/**
 * Whether it is what a person can say, of a caller whose compiler did not look. Throws `HarnessError` `invalid_options` with one
 * sentence that names the call, the place and what is expected.
 */
export function checkInput(call: string, input: unknown): void {
  if (typeof input === "string") {
    if (input.trim() === "")
      throw invalid(`${call}: the text is empty: pass a message, or run([]) to continue without one.`);
    return;
  }
  if (!Array.isArray(input)) throw invalid(`${call}: the input has to be text, or a list of parts.`);
}

/** Like `checkInput`, for the parts of a message. */
export function checkParts(call: string, input: unknown): void {
  const wrong = !Array.isArray(input) ? -1 : input.findIndex((part: unknown) => !isPart(part));
  if (wrong === -1) return;
  throw invalid(`${call}: input[${wrong}] has to be { type: "text", text } or { type: "image", dataUrl }.`);
}

/** Like `checkInput`, for the options of a turn. */
export function checkRun(call: string, options: object): void {
  checkKeys({ call }, options, known);
  const output: unknown = Reflect.get(options, "output");
  checkOutput(call, output);
  if (output !== undefined && Reflect.get(options, "schemaRepairs") === null)
    throw invalid(`${call}: schemaRepairs cannot be null with output: a typed value is always checked.`);
  const signal: unknown = Reflect.get(options, "signal");
  if (signal === undefined || signal instanceof AbortSignal) return;
  throw invalid(`${call}: signal has to be an AbortSignal: that of an AbortController is its signal.`);
}

/** `toOutputSchema` checks a library's schema more closely. */
function checkOutput(call: string, output: unknown): void {
  if (output === undefined || "~standard" in Object(output) || "_def" in Object(output)) return;
  throw invalid(`${call}: output takes a schema of zod 4, as z.object({ … }); a JSON Schema goes into outputSchema.`);
}

function isPart(part: unknown): boolean {
  const type: unknown = Reflect.get(Object(part), "type");
  const member = type === "text" ? "text" : type === "image" ? "dataUrl" : null;
  return member !== null && typeof Reflect.get(Object(part), member) === "string";
}
