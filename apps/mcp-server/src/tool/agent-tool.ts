import type { CallToolResult, Tool } from "@modelcontextprotocol/server";
import { checkMembers } from "@unroll/thread-host/wire";
import { formatPlace } from "@unroll/text";
import * as z from "zod";
import type { AgentCall } from "./agent-call.ts";
import { ArgumentFault } from "./argument-fault.ts";

/** One of the tools that clients see. */
export interface AgentTool {
  readonly spec: Tool;
  /** `ignored` gets the places of arguments that are not known. Throws `ArgumentFault`. */
  read(input: unknown, ignored: (places: readonly string[]) => void): AgentCall;
  /** The structured content of an answer, as `spec.outputSchema` has it. */
  show(answer: AgentAnswer): NonNullable<CallToolResult["structuredContent"]>;
}

/** The result of a turn. */
export interface AgentAnswer {
  readonly threadId: string;
  /** The final message, or why there is none. */
  readonly content: string;
  readonly usage: {
    readonly input_tokens: number;
    readonly cached_input_tokens: number;
    readonly cache_write_input_tokens: number;
    readonly output_tokens: number;
  };
}

interface AgentToolParts<Input extends z.ZodType> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly output: z.ZodObject;
  readonly read: (input: z.infer<Input>) => AgentCall;
  readonly show: AgentTool["show"];
}

export function defineAgentTool<Input extends z.ZodType>(parts: AgentToolParts<Input>): AgentTool {
  const { name, title, description, input, output, read, show } = parts;
  const inputSchema = toSchema(input);
  // the config looks into `config`, and an output schema may have any member
  const members = { properties: Object.fromEntries(Object.keys(inputSchema.properties ?? {}).map((key) => [key, {}])) };
  return {
    spec: {
      name,
      title,
      description,
      inputSchema,
      outputSchema: toSchema(output),
      annotations: { title, readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    },
    read(given, ignored) {
      const { fault, others } = checkMembers(given ?? {}, members);
      if (fault !== null) throw new ArgumentFault(`${name}: ${fault}`);
      const parsed = input.safeParse(given ?? {});
      if (parsed.success) {
        ignored(others);
        return read(parsed.data);
      }
      throw new ArgumentFault(`${name}: ${parsed.error.issues.slice(0, 5).map(describeIssue).join("; ")}`);
    },
    show,
  };
}

function toSchema(schema: z.ZodType): Tool["inputSchema"] {
  const {
    $schema: _,
    properties = {},
    ...json
  } = z.toJSONSchema(schema, {
    io: "input",
    // some clients read a schema without a type as none: `true` says the same
    override({ jsonSchema }) {
      const { additionalProperties: others } = jsonSchema;
      if (typeof others === "object" && Object.keys(others).length === 0) jsonSchema.additionalProperties = true;
    },
  });
  const members = Object.entries(properties).map(([name, member]) => [name, Object(member)] as const);
  return { ...json, type: "object", properties: Object.fromEntries(members) };
}

/** By its place: `config.model`. */
function describeIssue(issue: z.core.$ZodIssue): string {
  if (issue.code === "unrecognized_keys") return `${issue.keys.join(", ")}: there is no such argument`;
  return `${formatPlace(issue.path) || "arguments"}: ${issue.message}`;
}
