import { plainNamePattern } from "@unroll/files";
import { longestTimerMs } from "@unroll/flow";
import {
  approvalPolicies,
  type ApprovalPolicy,
  type McpApprovalMode,
  type ModelFamily,
  type ReasoningContext,
  type SandboxMode,
  sandboxModes,
  type ThreadHeaders,
  threadHeaderStyles,
  type Verbosity,
} from "@unroll/protocol";

/** A kind of values. */
export interface Kind {
  /** For people, in Markdown. Absent: the words of its schema. */
  readonly shown?: string;
  readonly schema: ValueSchema;
  /** A relative path starts at the folder of the file that sets it. Absent: it is not a path. */
  readonly isPath?: true;
  /** `none`: 0 stands for no limit, as TOML has no null. Absent: 0 is a number like others. */
  readonly zero?: "none";
  /** Programs get it in ms. Absent: as it is written. */
  readonly unit?: "seconds";
  /** The part that is, or may be, a credential. Absent: none. */
  readonly secret?: "value" | "names" | "query" | "arguments" | "variable";
}

type TextKind =
  | "text"
  | "any-text"
  | "account"
  | "path"
  | "address"
  | "secret"
  | "variable"
  | "header-name"
  | "date"
  | "wire-api";
type ListKind =
  | "texts"
  | "hosts"
  | "names"
  | "patterns"
  | "paths"
  | "arguments"
  | "command"
  | "command-or-none"
  | "variables";
type NamedKind = "named-texts" | "headers" | "variable-headers";
type NumberKind =
  | "count"
  | "positive"
  | "tokens"
  | "tokens-from-0"
  | "rate"
  | "retries"
  | "milliseconds"
  | "milliseconds-from-0"
  | "seconds";

/** The kinds in which 0 stands for none. */
type LimitKind = "limit" | "dollars" | "milliseconds-or-never" | "seconds-from-0";

/** The type of a value as it is written in `config.toml`, by its kind. */
export interface KindValues
  extends
    Readonly<Record<TextKind, string>>,
    Readonly<Record<ListKind, readonly string[]>>,
    Readonly<Record<NamedKind, Readonly<Record<string, string>>>>,
    Readonly<Record<NumberKind | LimitKind, number>> {
  readonly boolean: boolean;
  readonly keys: string | readonly string[];
  readonly ports: readonly number[];
  readonly "approval-mode": McpApprovalMode;
  readonly "approval-policy": ApprovalPolicy | GranularPolicyTable;
  readonly models: readonly (string | ProviderModelTable)[];
  readonly "reasoning-context": ReasoningContext;
  readonly "sandbox-mode": SandboxMode;
  readonly "shell-tool": ModelFamily["shellTool"];
  readonly "skill-rules": readonly SkillRuleTable[];
  readonly "thread-headers": ThreadHeaders;
  readonly verbosity: Verbosity;
  readonly table: Readonly<Record<string, unknown>>;
  readonly "access-rules": AccessRules;
  readonly flags: Readonly<Record<string, boolean>>;
}

export type KindName = keyof KindValues;

/** The type of what a program gets: as it is written, but null for a 0 that stands for none. */
export type ResolvedKind<Kind> = Kind extends readonly (infer Word)[]
  ? Word
  : Kind extends LimitKind
    ? number | null
    : Kind extends KindName
      ? KindValues[Kind]
      : never;

/** Which questions `on-request` asks; those that are left out are refused. */
interface GranularPolicyTable {
  readonly granular: {
    readonly sandbox_approval?: boolean;
    readonly rules?: boolean;
    readonly mcp_elicitations?: boolean;
    /** For the Codex CLI, as the next one: nothing here asks them. */
    readonly request_permissions?: boolean;
    readonly skill_approval?: boolean;
  };
}

/** The access that a permission profile gives to a path; `none` is an old word for `deny`. */
export type PathAccess = (typeof pathAccess)[number];

/** By path, or for the paths below it. */
export type AccessRules = Readonly<Record<string, PathAccess | number | Readonly<Record<string, PathAccess>>>>;

/** A model of a provider, by the names of the keys that choose them. */
interface ProviderModelTable {
  readonly model_provider: string;
  readonly model: string;
}

interface SkillRuleTable {
  readonly path?: string;
  readonly name?: string;
  readonly enabled: boolean;
}

const pathAccess = ["read", "write", "deny", "none"] as const;
const text: ValueSchema = { type: "string", minLength: 1 };
const anyText: ValueSchema = { type: "string" };
const flag: ValueSchema = { type: "boolean" };
const positive: ValueSchema = { type: "integer", minimum: 1 };
const count: ValueSchema = { type: "integer", minimum: 0 };
const milliseconds: ValueSchema = { type: "integer", minimum: 1, maximum: longestTimerMs };
const millisecondsFrom0: ValueSchema = { ...milliseconds, minimum: 0 };
const seconds: ValueSchema = { type: "number", maximum: longestTimerMs / 1000 };
const texts: ValueSchema = { type: "array", items: text };
const variable: ValueSchema = {
  type: "string",
  pattern: "^[A-Za-z_]\\w*$",
  errorMessage: "the name of an environment variable (letters, digits and _), not its value",
};
/** RFC 9110, field names and values. */
const headerName: ValueSchema = {
  type: "string",
  pattern: "^[\\w!#$%&'*+.^`|~-]+$",
  errorMessage: "the name of an HTTP header",
};
const headerValue: ValueSchema = {
  type: "string",
  pattern: "^[\\t\\x20-\\x7e\\x80-\\xff]*$",
  errorMessage: "text that an HTTP header can hold: no line end, no character beyond Latin-1",
};
const granular: ValueSchema = {
  type: "object",
  properties: {
    sandbox_approval: flag,
    rules: flag,
    mcp_elicitations: flag,
    request_permissions: flag,
    skill_approval: flag,
  },
  additionalProperties: false,
};

/** Each kind, for the code that checks, shows or uses a value. */
export const kinds: Readonly<Record<KindName, Kind>> = {
  boolean: { shown: "true, false", schema: flag },
  text: { shown: "string", schema: text },
  "any-text": { shown: "string", schema: anyText },
  account: {
    shown: "name",
    schema: {
      type: "string",
      pattern: plainNamePattern,
      errorMessage: "a name of letters, digits, -, _ and ., at most 64 characters, a letter or digit first",
    },
  },
  path: { shown: "path", schema: text, isPath: true },
  address: { shown: "string", schema: text, secret: "query" },
  secret: { shown: "string", schema: headerValue, secret: "value" },
  variable: { shown: "name of a variable", schema: variable, secret: "variable" },
  "header-name": { shown: "name of a header", schema: headerName },
  date: {
    shown: "string, `YYYY-MM-DD`",
    schema: { type: "string", format: "date", errorMessage: "a day as YYYY-MM-DD" },
  },
  "wire-api": {
    shown: "`responses`",
    schema: {
      type: "string",
      pattern: "^responses$",
      errorMessage: '"responses": this harness speaks the Responses API only',
    },
  },
  texts: { shown: "strings", schema: texts },
  hosts: { shown: "hosts: `name`, `*.name` or an IP address, with or without `:port`", schema: texts },
  names: { shown: "names", schema: texts },
  patterns: { shown: "patterns", schema: texts },
  paths: { shown: "paths", schema: texts, isPath: true },
  arguments: { shown: "strings", schema: { type: "array", items: anyText }, secret: "arguments" },
  command: {
    shown: "strings: a program and its arguments",
    schema: { type: "array", items: anyText, minItems: 1 },
    secret: "arguments",
  },
  "command-or-none": { shown: "strings: a program and its arguments", schema: texts },
  variables: { shown: "names of variables", schema: { type: "array", items: variable } },
  ports: { shown: "whole numbers", schema: { type: "array", items: { ...positive, maximum: 65_535 } } },
  keys: { shown: "a key, or an array of keys", schema: { anyOf: [text, texts] } },
  "named-texts": {
    shown: "table of strings",
    schema: { type: "object", additionalProperties: anyText },
    secret: "names",
  },
  headers: {
    shown: "table of strings",
    schema: { type: "object", propertyNames: headerName, additionalProperties: headerValue },
    secret: "names",
  },
  "variable-headers": {
    shown: "table: header to variable",
    schema: { type: "object", propertyNames: headerName, additionalProperties: variable },
    secret: "variable",
  },
  count: { shown: "whole number", schema: count },
  positive: { shown: "whole number", schema: positive },
  tokens: { shown: "whole number, tokens", schema: positive },
  "tokens-from-0": { shown: "whole number, tokens", schema: count },
  limit: { shown: "whole number", schema: count, zero: "none" },
  dollars: {
    shown: "number, US dollars",
    schema: { type: "number", minimum: 0, maximum: 1_000_000_000 },
    zero: "none",
  },
  rate: { shown: "number", schema: { type: "number", minimum: 0 } },
  retries: { shown: "0 to 100", schema: count },
  milliseconds: { shown: "whole number", schema: milliseconds },
  "milliseconds-from-0": { shown: "whole number", schema: millisecondsFrom0 },
  "milliseconds-or-never": { shown: "whole number", schema: millisecondsFrom0, zero: "none" },
  seconds: { shown: "number", schema: { ...seconds, exclusiveMinimum: 0 }, unit: "seconds" },
  "seconds-from-0": { shown: "number", schema: { ...seconds, minimum: 0 }, zero: "none", unit: "seconds" },
  "approval-mode": { schema: { enum: ["auto", "prompt", "writes", "approve"] } },
  "approval-policy": {
    shown: "`untrusted` `on-failure` `on-request` `never`, or `{ granular = { … } }`",
    schema: {
      anyOf: [
        { enum: approvalPolicies },
        { type: "object", properties: { granular }, required: ["granular"], additionalProperties: false },
      ],
    },
  },
  models: {
    shown: 'strings, or tables `{ model_provider = "…", model = "…" }`',
    schema: {
      type: "array",
      items: {
        anyOf: [
          text,
          {
            type: "object",
            properties: { model_provider: text, model: text },
            required: ["model_provider", "model"],
            additionalProperties: false,
          },
        ],
      },
    },
  },
  "reasoning-context": { schema: { enum: ["auto", "all_turns", "current_turn"] } },
  "sandbox-mode": { schema: { enum: sandboxModes } },
  "shell-tool": { schema: { enum: ["shell_command", "shell", "exec_command"] } },
  "skill-rules": {
    shown: "tables",
    schema: {
      type: "array",
      items: { type: "object", properties: { path: text, name: text, enabled: flag }, required: ["enabled"] },
    },
  },
  "thread-headers": { schema: { enum: threadHeaderStyles } },
  verbosity: { schema: { enum: ["low", "medium", "high"] } },
  table: { shown: "table", schema: { type: "object" } },
  flags: { shown: "table of booleans", schema: { type: "object", additionalProperties: flag } },
  "access-rules": {
    shown: "table: path to `read`, `write` or `deny`",
    schema: {
      type: "object",
      properties: { glob_scan_max_depth: positive },
      additionalProperties: {
        anyOf: [{ enum: pathAccess }, { type: "object", additionalProperties: { enum: pathAccess } }],
      },
    },
  },
};

/** The schema of values of this kind. */
export function toSchema(kind: KindName | readonly string[]): ValueSchema {
  return typeof kind === "string" ? kinds[kind].schema : { enum: kind };
}

/** The same for people, in Markdown: `true, false`, the words to choose from, `whole number`. */
export function showKind(kind: KindName | readonly string[]): string {
  const shown = typeof kind === "string" ? kinds[kind].shown : undefined;
  return shown ?? (toSchema(kind).enum ?? []).map((word) => `\`${word}\``).join(" ");
}

/** The form of a value, in a part of JSON Schema (draft 2020-12). `findFaults` knows every word of it that restricts a value. */
export interface ValueSchema {
  readonly type?: "string" | "integer" | "number" | "boolean" | "array" | "object";
  readonly enum?: readonly string[];
  /** A text, then a table or an array. */
  readonly anyOf?: readonly [ValueSchema, ValueSchema];
  readonly minLength?: number;
  /** A regular expression. */
  readonly pattern?: string;
  readonly format?: "date";
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly items?: ValueSchema;
  readonly minItems?: number;
  readonly properties?: Readonly<Record<string, ValueSchema>>;
  readonly required?: readonly string[];
  readonly propertyNames?: ValueSchema;
  readonly additionalProperties?: ValueSchema | false;
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly deprecated?: true;
  /** In place of a pattern or a format, for people: what it must be. */
  readonly errorMessage?: string;
}
