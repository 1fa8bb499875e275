import { posix } from "node:path";
import { type Argument, type CallExpression, type Expression, Visitor } from "oxc-parser";
import type { SourceFile } from "./parse-source.ts";
import type { Repository } from "./repository.ts";

/** Modules whose functions fail when a disk, a descriptor or a process is missing. */
const machine = new Set(["node:fs", "node:fs/promises", "node:child_process", "node:process", "node:sqlite"]);
/** They never throw for the machine's faults. */
const harmless = new Set(["existsSync", "nextTick"]);
/** Which argument is the callback. */
const timers: Readonly<Record<string, number>> = {
  setTimeout: 0,
  setInterval: 0,
  setImmediate: 0,
  queueMicrotask: 0,
  setTimer: 1,
};
const listeners = new Set(["on", "once", "addListener", "prependListener", "addEventListener"]);

/** A function of one file: what it calls outside of any `try` that catches. */
interface Body {
  readonly calls: Set<string>;
  readonly touches: string[];
}

interface Callback {
  readonly file: string;
  readonly line: number;
  readonly body: Body;
}

interface Found {
  readonly bodies: Map<string, Body>;
  readonly callbacks: Callback[];
}

/**
 * A callback of a timer, a watcher or a listener that does I/O, itself or through functions that it calls by name, runs in
 * `contain` of `@unroll/flow`, or catches. Nobody else could, and the process would end. The check does not follow methods of
 * objects; lint finds promises that nobody handles.
 */
export function checkCallbacks(repository: Repository): readonly string[] {
  const files = repository.list("{packages,apps}/*/src/**/*.ts");
  const found: Found = { bodies: new Map(), callbacks: [] };
  for (const file of files) readFile(repository.source(file), found);
  const failing = new Map<string, string>();
  for (const [
    key,
    {
      touches: [first],
    },
  ] of found.bodies)
    if (first !== undefined) failing.set(key, first);
  for (let before = -1; before !== failing.size;) {
    before = failing.size;
    for (const [key, body] of found.bodies) {
      const reason = findReason(body, failing);
      if (reason !== null && !failing.has(key)) failing.set(key, reason);
    }
  }
  return found.callbacks.flatMap(({ file, line, body }) => {
    const reason = body.touches[0] ?? findReason(body, failing);
    return reason === null
      ? []
      : [`${file}:${line}: a callback that may throw by ${reason}: wrap it in contain of @unroll/flow`];
  });
}

function findReason({ calls }: Body, failing: ReadonlyMap<string, string>): string | null {
  for (const call of calls) {
    const reason = failing.get(call);
    if (reason !== undefined) return `${call.split("#")[1]} > ${reason}`;
  }
  return null;
}

/** A function is known as `file#name`, one of a package as `package#name`. */
function readFile(source: SourceFile, { bodies, callbacks }: Found): void {
  const { file } = source;
  const names = readImports(source);
  const caught: { readonly start: number; readonly end: number }[] = [];
  const functions: { readonly start: number; readonly end: number; readonly body: Body }[] = [];
  const add = (node: { readonly start: number; readonly end: number }, key: string | null): void => {
    const body: Body = (key === null ? undefined : bodies.get(key)) ?? { calls: new Set(), touches: [] };
    if (key !== null) bodies.set(key, body);
    functions.push({ start: node.start, end: node.end, body });
  };
  const calls: CallExpression[] = [];
  new Visitor({
    TryStatement({ block, handler }) {
      if (handler) caught.push(block);
    },
    FunctionDeclaration: (node) => add(node, node.id ? `${file}#${node.id.name}` : null),
    VariableDeclarator({ id, init }) {
      if (init && isFunction(init) && id.type === "Identifier") add(init, `${file}#${id.name}`);
    },
    CallExpression(node) {
      calls.push(node);
      if (methodOf(node) === "catch" && node.callee.type === "MemberExpression") caught.push(node.callee.object);
    },
  }).visit(source.program);
  for (const call of calls) {
    const callback = findCallback(call);
    if (callback === null) continue;
    const body: Body = { calls: new Set(), touches: [] };
    if (callback.type === "Identifier") body.calls.add(`${file}#${callback.name}`);
    if (isFunction(callback)) functions.push({ start: callback.start, end: callback.end, body });
    callbacks.push({ file, line: source.lineOf(call.start), body });
  }
  for (const call of calls) {
    const { callee, start } = call;
    if (callee.type !== "Identifier") continue;
    // The innermost function that has a body of its own here.
    const owner = functions
      .filter((each) => each.start <= start && start < each.end)
      .toSorted((a, b) => b.start - a.start)[0];
    if (
      owner === undefined ||
      caught.some((each) => owner.start <= each.start && each.start <= start && start < each.end)
    )
      continue;
    const from = names.get(callee.name);
    if (from === undefined) owner.body.calls.add(`${file}#${callee.name}`);
    else if (!machine.has(from.from)) owner.body.calls.add(`${from.from}#${from.name}`);
    else if (!harmless.has(from.name)) owner.body.touches.push(from.name);
  }
  for (const { name, from } of source.exports) {
    if (name === null || from === null) continue;
    const target = posix.normalize(posix.join(posix.dirname(file), from));
    const body = bodies.get(`${file}#${name}`) ?? { calls: new Set(), touches: [] };
    body.calls.add(`${target}#${name}`);
    bodies.set(`${file}#${name}`, body);
    const [, kind] = /^(?:packages|apps)\/([^/]+)\/src\/index\.ts$/.exec(file) ?? [];
    if (kind !== undefined) bodies.set(`@unroll/${kind}#${name}`, body);
  }
}

interface Origin {
  readonly from: string;
  readonly name: string;
}

function readImports({ file, program }: SourceFile): ReadonlyMap<string, Origin> {
  const names = new Map<string, Origin>();
  new Visitor({
    ImportDeclaration({ specifiers, source }) {
      const from = source.value.startsWith(".")
        ? posix.normalize(posix.join(posix.dirname(file), source.value))
        : source.value;
      for (const each of specifiers) {
        if (each.type !== "ImportSpecifier" || each.imported.type !== "Identifier") continue;
        names.set(each.local.name, { from, name: each.imported.name });
      }
    },
  }).visit(program);
  return names;
}

function isFunction({ type }: Expression | Argument): boolean {
  return type === "ArrowFunctionExpression" || type === "FunctionExpression";
}

function findCallback(call: CallExpression): Argument | null {
  const { callee, arguments: given } = call;
  const name = callee.type === "Identifier" ? callee.name : methodOf(call);
  if (Object.hasOwn(timers, name)) return given[timers[name] ?? 0] ?? null;
  return callee.type === "MemberExpression" && listeners.has(name) ? (given[1] ?? null) : null;
}

/** Empty: it is not a method's call. */
function methodOf({ callee }: CallExpression): string {
  return callee.type === "MemberExpression" && callee.property.type === "Identifier" ? callee.property.name : "";
}
