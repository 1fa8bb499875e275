import type { CreateElicitationResponse } from "@agentclientprotocol/sdk/unstable";
import { toFormSchema } from "@unroll/thread-host";
import { refusalOf, type Answer, type FormQuestion, type FormValue, type ModelQuestions } from "@unroll/protocol";
import * as z from "zod";

/** What a client is asked to put before a person, as a form. */
interface AskedForm {
  readonly message: string;
  /** JSON Schema, as MCP writes forms. */
  readonly requestedSchema: Readonly<Record<string, unknown>>;
}

/** In front of the id of a question: the field of the person's own words. */
const ownWords = "own_";

/** The form of an MCP server. */
export function toServerForm({ server, message, fields }: FormQuestion): AskedForm {
  return { message: `${server} asks: ${message}`, requestedSchema: toFormSchema(fields) };
}

/** The questions of the model: each a choice, and a field for the person's own words. */
export function toModelForm({ questions }: ModelQuestions): AskedForm {
  const properties = questions.flatMap(({ id, header, question, options }): [string, unknown][] => {
    const oneOf = options.map(({ label, description }) => ({ const: label, title: label, description }));
    return [
      [id, { type: "string", title: header, description: question, oneOf }],
      [
        ownWords + id,
        { type: "string", title: `${header}: in your own words`, description: "Goes before the choice." },
      ],
    ];
  });
  const message = questions.map(({ question }) => question).join("\n");
  return { message, requestedSchema: { type: "object", properties: Object.fromEntries(properties), required: [] } };
}

/** Whatever is no answer is one that the person did not give. */
export function toFormAnswer(response: CreateElicitationResponse, question: FormQuestion): Answer {
  if (response.action === "decline") return { type: "declined" };
  return response.action === "accept" ? { type: "accepted", values: readContent(response) } : refusalOf(question);
}

export function toModelAnswer(response: CreateElicitationResponse, asked: ModelQuestions): Answer {
  const said = response.action === "accept" ? readContent(response) : {};
  const answers = asked.questions.flatMap(({ id }): [string, readonly string[]][] => {
    const answer = [said[ownWords + id], said[id]].find((value) => typeof value === "string" && value !== "");
    return typeof answer === "string" ? [[id, [answer]]] : [];
  });
  return answers.length === 0 ? refusalOf(asked) : { type: "answered", answers: Object.fromEntries(answers) };
}

const values = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]));

/** Empty where it is no content. */
function readContent(response: CreateElicitationResponse): Readonly<Record<string, FormValue>> {
  const { success, data } = values.safeParse("content" in response ? response.content : null);
  return success ? data : {};
}
