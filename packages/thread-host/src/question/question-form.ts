import {
  type Answer,
  type FormField,
  type FormInput,
  type FormQuestion,
  type FormValue,
  type ModelQuestionOption,
  type ModelQuestions,
  refusalOf,
} from "@unroll/protocol";

type Json = Readonly<Record<string, unknown>>;

/** A form of MCP and of ACP; the fields are JSON Schema. */
export interface QuestionForm {
  readonly message: string;
  readonly requestedSchema: {
    readonly type: "object";
    readonly properties: Readonly<Record<string, Json>>;
    readonly required?: readonly string[];
  };
}

/** Behind the id of a question: the field for an answer in your own words. */
const otherField = "_other";

/** The questions of the model, each with a field for other words. `toOptions`: how the protocol writes labels with their descriptions. */
export function toChoiceForm(
  { questions }: ModelQuestions,
  toOptions: (options: readonly ModelQuestionOption[]) => Json,
): QuestionForm {
  const properties = questions.flatMap(({ id, header, question, options }): [string, Json][] => [
    [id, { type: "string", title: header, description: question, ...toOptions(options) }],
    [id + otherField, { type: "string", title: `${header}: something else`, description: "In your own words." }],
  ]);
  const message = questions.map(({ question }) => question).join("\n");
  return { message, requestedSchema: { type: "object", properties: Object.fromEntries(properties) } };
}

/** The answer of a form of `toChoiceForm`; null: it was not accepted. Your own words win over a choice. */
export function readChoices(asked: ModelQuestions, content: Json | null): Answer {
  const answers = asked.questions.flatMap(({ id }): [string, readonly string[]][] => {
    const given = [content?.[id + otherField], content?.[id]];
    const answer = given.find((value) => typeof value === "string" && value.trim() !== "");
    return typeof answer === "string" ? [[id, [answer]]] : [];
  });
  return answers.length === 0 ? refusalOf(asked) : { type: "answered", answers: Object.fromEntries(answers) };
}

/** The form of an MCP server, passed on. */
export function toServerForm({ server, message, fields }: FormQuestion): QuestionForm {
  return { message: `The MCP server ${server} asks: ${message}`, requestedSchema: toFormSchema(fields) };
}

/** The answer of a form of `toServerForm`. A field may be missing or null; with a value that no form has, nothing of it counts. */
export function readForm(form: FormQuestion, content: Json): Answer {
  const given = form.fields
    .map(({ name }) => [name, content[name] ?? null] as const)
    .filter(([, value]) => value !== null);
  const values = given.filter((each): each is readonly [string, FormValue] => isFormValue(each[1]));
  return values.length < given.length ? refusalOf(form) : { type: "accepted", values: Object.fromEntries(values) };
}

function isFormValue(value: unknown): value is FormValue {
  if (Array.isArray(value)) return value.every((each) => typeof each === "string");
  return ["string", "number", "boolean"].includes(typeof value);
}

/** The fields of a form as the JSON Schema that MCP forms are written in. */
export function toFormSchema(fields: readonly FormField[]): QuestionForm["requestedSchema"] {
  return {
    type: "object",
    properties: Object.fromEntries(fields.map((field) => [field.name, toProperty(field)])),
    required: fields.filter(({ isRequired }) => isRequired).map(({ name }) => name),
  };
}

function toProperty({ title, description, input, defaultValue }: FormField): Json {
  const named = { title, description, ...(defaultValue === null ? {} : { default: defaultValue }) };
  return { ...named, ...toInput(input) };
}

function toInput(input: FormInput): Json {
  switch (input.type) {
    case "text": {
      const { format, minLength, maxLength } = input;
      return { type: "string", ...(format === null ? {} : { format }), minLength, ...finite({ maxLength }) };
    }
    case "number": {
      const { minimum, maximum } = input;
      return { type: input.isInteger ? "integer" : "number", ...finite({ minimum, maximum }) };
    }
    case "boolean":
      return { type: "boolean" };
    case "choice": {
      const options = input.options.map(({ value, title }) => ({ const: value, title }));
      if (!input.isMultiple) return { type: "string", oneOf: options };
      const { minItems, maxItems } = input;
      return { type: "array", items: { anyOf: options }, minItems, ...finite({ maxItems }) };
    }
  }
}

/** JSON has no infinity: such a bound is none. */
function finite(bounds: Readonly<Record<string, number>>): Json {
  return Object.fromEntries(Object.entries(bounds).filter(([, value]) => Number.isFinite(value)));
}
