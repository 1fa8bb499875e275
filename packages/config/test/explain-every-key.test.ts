import { join } from "node:path";
import { type ConfigExplanation, explainConfig, createConfigJsonSchema } from "@unroll/config/upkeep";
import { expect, test } from "vitest";
import * as z from "zod";
import { keysByName } from "../src/keys/config-schema.ts";
import { formatKey } from "../src/toml/table.ts";
import { writeTomlValue } from "../src/toml/write-toml-value.ts";
import { createTempHome, override, repositoryIn } from "./temp-home.ts";

const nodeSchema = z.looseObject({
  default: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  type: z.string().optional(),
  format: z.string().optional(),
  minimum: z.number().optional(),
  anyOf: z.array(z.unknown()).optional(),
  items: z.unknown().optional(),
  required: z.array(z.string()).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  additionalProperties: z.unknown().optional(),
});

/** A value that the schema allows. */
function toSample(schema: unknown): unknown {
  const {
    default: standard,
    enum: values,
    anyOf,
    type,
    format,
    minimum,
    items,
    required = [],
    properties = {},
  } = nodeSchema.parse(schema);
  if (standard !== undefined) return standard;
  if (values !== undefined) return values[0];
  if (anyOf !== undefined) return toSample(anyOf[0]);
  if (type === "integer" || type === "number") return Math.max(minimum ?? 7, 7);
  if (type === "boolean") return true;
  if (type === "array") return [toSample(items)];
  if (type === "object") return Object.fromEntries(required.map((name) => [name, toSample(properties[name])]));
  return format === "date" ? "2031-02-03" : "text";
}

interface Sample {
  readonly path: readonly string[];
  readonly key: string;
  readonly value: string;
}

/** Each documented key with a free name for each `*`, and a value for it; a table of free names by one that is in it. */
async function listSamples(freeName: string): Promise<readonly Sample[]> {
  const schema: unknown = createConfigJsonSchema();
  return [...keysByName().keys()].map((name) => {
    const path = name.split(".").map((part) => (part === "*" ? freeName : part));
    let node = schema;
    for (const part of name.split(".")) {
      const { properties = {}, additionalProperties } = nodeSchema.parse(node);
      node = part === "*" ? additionalProperties : properties[part];
    }
    const { additionalProperties, properties } = nodeSchema.parse(node);
    const isFree = typeof additionalProperties === "object" && properties === undefined;
    const whole = isFree ? [...path, freeName] : path;
    return {
      path: whole,
      key: formatKey(whole),
      value: writeTomlValue(toSample(isFree ? additionalProperties : node)),
    };
  });
}

const originsOf = ({ keys }: ConfigExplanation): ReadonlyMap<string, readonly string[]> =>
  new Map(
    keys.map(({ key, origin, shadows }) => [
      key,
      [origin, ...shadows.map((shadow) => shadow.origin)].map((each) =>
        each?.type === "file"
          ? `${each.path.replace(/^.*?\/unroll-config-[^/]*\//, "")}:${each.line}`
          : (each?.type ?? "none"),
      ),
    ]),
  );

/** A price, and the command of a key, are whole or none: one `-c` of one key cannot set them. */
const isWhole = ({ path }: Sample): boolean => !path.includes("price") && !path.includes("auth");

test.for(["plain", "a.dot"])(
  "every key says where it is set, in every layer at once (free names: %s)",
  async (freeName) => {
    const samples = (await listSamples(freeName)).filter(
      ({ path: [top = ""] }) => !["profile", "profiles", "projects"].includes(top),
    );
    const lines = samples.map(({ key, value }) => `${key} = ${value}\n`);
    const inProfile = samples.map(({ key, value }) => `profiles.one.${key} = ${value}\n`);
    await using home = await createTempHome({
      ...repositoryIn("project"),
      "project/.codex/config.toml": lines.join(""),
      "config.toml": [...lines, ...inProfile].join(""),
      "system.toml": lines.join(""),
    });
    const sources = {
      codexHome: join(home.path, ".codex"),
      cwd: join(home.path, "project"),
      env: { HOME: home.path },
      systemFile: join(home.path, "system.toml"),
      trustProject: true,
      profile: "one",
      overrides: samples.filter(isWhole).map(({ key, value }) => override(key, value)),
      flags: {},
    };
    const explanation = await explainConfig(sources, null);
    const explained = originsOf(explanation);
    const refused = explanation.warnings.filter(({ code }) => code === "key_ignored_in_project").map(({ key }) => key);
    expect(refused.length).toBeLessThan(40); // most keys are taken from a project
    const isRefused = (key: string): boolean => refused.some((each) => key === each || key.startsWith(`${each}.`));
    const wanted = samples.map(
      (sample, index) =>
        [
          sample.key,
          [
            ...(isWhole(sample) ? ["argument"] : []),
            `.codex/config.toml:${samples.length + index + 1}`,
            ...(isRefused(sample.key) ? [] : [`project/.codex/config.toml:${index + 1}`]),
            `.codex/config.toml:${index + 1}`,
            `system.toml:${index + 1}`,
          ],
        ] as const,
    );
    expect(samples.map(({ key }) => [key, explained.get(key)])).toEqual(wanted);
  },
);
