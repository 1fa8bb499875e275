import { type Expression, type ObjectExpression, parseSync, Visitor } from "oxc-parser";

/** An error that the code can tell a person of. */
export interface ToldError {
  readonly code: string;
  /** `…` replaces values that are filled in at run time. */
  readonly message: string;
  /** The class that is thrown; null: it is data, as in `turn.failed`. */
  readonly thrown: string | null;
}

/** The classes whose errors people are shown, and where their constructors take the message. */
const classes: Readonly<Record<string, number>> = {
  ApprovalError: 1,
  AuthError: 1,
  HarnessError: 1,
  ProgramError: 1,
  PromptError: 2,
  ScriptedModelError: 1,
  ThreadStoreError: 1,
};

interface Found extends Pick<ToldError, "thrown"> {
  readonly start: number;
  readonly code: Expression;
  readonly message: Expression;
}

/** All that one source says of errors: `new HarnessError("code", "message")`, and objects with a `code` and a `message`. */
export function listErrors(file: string, text: string): readonly ToldError[] {
  const { program } = parseSync(file, text);
  const constants = new Map<string, { readonly start: number; readonly value: Expression }[]>();
  const found: Found[] = [];

  new Visitor({
    VariableDeclarator({ id, init, start }) {
      if (id.type !== "Identifier" || init === null) return;
      constants.set(id.name, [...(constants.get(id.name) ?? []), { start, value: init }]);
    },
    NewExpression({ callee, arguments: args, start }) {
      const place = callee.type === "Identifier" ? classes[callee.name] : undefined;
      const [code, message] = [args[0], args[place ?? -1]];
      if (!code || !message || code.type === "SpreadElement" || message.type === "SpreadElement") return;
      found.push({ start, code, message, thrown: callee.type === "Identifier" ? callee.name : null });
    },
    ObjectExpression(object) {
      const [code, message] = [valueOf(object, "code"), valueOf(object, "message")];
      if (code !== null && message !== null) found.push({ start: object.start, code, message, thrown: null });
    },
  }).visit(program);

  /** The constant of this name that stands last before the place. */
  const lookUp = (name: string, before: number): Expression | null =>
    constants.get(name)?.findLast(({ start }) => start < before)?.value ?? null;
  return found.flatMap(({ start, code, message, thrown }) => {
    const texts = toTexts(message, (name) => lookUp(name, start));
    return toCodes(code).flatMap((each) => texts.map((one) => ({ code: each, message: one, thrown })));
  });
}

function valueOf({ properties }: ObjectExpression, name: string): Expression | null {
  for (const property of properties) {
    if (property.type !== "Property" || property.key.type !== "Identifier" || property.key.name !== name) continue;
    return property.value;
  }
  return null;
}

function toCodes(expression: Expression): readonly string[] {
  if (expression.type === "ConditionalExpression") {
    return [...toCodes(expression.consequent), ...toCodes(expression.alternate)];
  }
  const isCode = expression.type === "Literal" && typeof expression.value === "string";
  return isCode && /^[a-z][a-z_]+$/.test(String(expression.value)) ? [String(expression.value)] : [];
}

type LookUp = (name: string) => Expression | null;

/** Empty where nothing of it is known before it happens. */
function toTexts(expression: Expression, lookUp: LookUp, depth = 0): readonly string[] {
  const inner = (each: Expression): readonly string[] => toTexts(each, lookUp, depth);
  if (expression.type === "Literal") return typeof expression.value === "string" ? [expression.value] : [];
  if (expression.type === "TemplateLiteral") {
    return [expression.quasis.map(({ value }) => value.cooked ?? "").join("…")];
  }
  if (expression.type === "ConditionalExpression") {
    return [...inner(expression.consequent), ...inner(expression.alternate)];
  }
  if (expression.type === "BinaryExpression" && expression.left.type !== "PrivateIdentifier") {
    return [`${inner(expression.left)[0] ?? "…"}${inner(expression.right)[0] ?? "…"}`];
  }
  if (expression.type !== "Identifier" || depth === deepest) return [];
  const value = lookUp(expression.name);
  return value === null ? [] : toTexts(value, lookUp, depth + 1);
}

/** So far a name is followed to a constant that names another. */
const deepest = 3;
