import type { ProgramFlags } from "@unroll/program";
import { toApprovalPolicy } from "../map/to-wire-policy.ts";
import type { Params } from "../schema/client-requests.ts";

type Asked = Omit<Params<"thread/start">, "ephemeral">;

/** What a client asks of a thread, as the command line would say it. `base`: what the server itself was started with. */
export function toThreadFlags(asked: Asked, base: ProgramFlags): ProgramFlags {
  const { model, cwd, sandbox } = asked;
  const approvalPolicy = toApprovalPolicy(asked.approvalPolicy);
  return {
    ...base,
    config: [...(base.config ?? []), ...listOverrides(asked)],
    ...(model ? { model } : {}),
    ...(cwd ? { cd: cwd } : {}),
    ...(sandbox ? { sandbox } : {}),
    ...(approvalPolicy === null ? {} : { askForApproval: approvalPolicy }),
  };
}

function listOverrides({ config, modelProvider, developerInstructions, baseInstructions }: Asked): readonly string[] {
  // instructions open the prompt: other ones than the family's are a file (model_instructions_file), so these stand behind
  const told = [baseInstructions, developerInstructions].filter(Boolean).join("\n\n");
  return [
    ...Object.entries(config ?? {}).flatMap(([key, value]) => flatten(key, value)),
    ...(modelProvider ? flatten("model_provider", modelProvider) : []),
    ...(told === "" ? [] : flatten("developer_instructions", told)),
  ];
}

/** A table is told by its members: `-c` takes one key each. */
export function flatten(key: string, value: unknown): readonly string[] {
  if (value === null || value === undefined) return [];
  if (typeof value !== "object" || Array.isArray(value)) return [`${key}=${toToml(value)}`];
  return Object.entries(value).flatMap(([name, member]) =>
    flatten(`${key}.${/^[\w-]+$/.test(name) ? name : JSON.stringify(name)}`, member),
  );
}

/** One value on one line. What JSON writes of a text, a number, a truth value and lists of them is TOML, too. */
function toToml(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(toToml).join(", ")}]`;
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)} = ${toToml(member)}`);
  return `{ ${members.join(", ")} }`;
}
