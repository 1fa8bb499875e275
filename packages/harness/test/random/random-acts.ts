import type { Turn, TurnItem } from "@unroll/scripted-model";
import fc from "fast-check";
import { overflow } from "../compaction-world.ts";

const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 });
const item: fc.Arbitrary<TurnItem> = fc.oneof(
  text.map((reasoning) => ({ reasoning })),
  text.map((query) => ({ search: query })),
  fc.jsonValue({ maxDepth: 2 }).map((payload) => ({ type: "of_tomorrow", payload })),
  fc.constant({ call: "update_plan", arguments: { plan: [{ step: "Go", status: "pending" }] } }),
  fc.constant({ call: "no_such_tool", arguments: {} }),
  fc.constant({ call: "mcp__late__it", arguments: {} }),
  fc.integer({ min: 1, max: 30_000 }).map((bytes) => ({ call: "print", arguments: { bytes } })),
  text.map((input) => ({ custom: "apply_patch", input })),
  text.map((said) => ({ text: said })),
);

/** How a request is refused, or its answer broken off, before it is answered whole. */
export const faults = {
  stale: { status: 400, body: { error: { code: "invalid_encrypted_content", message: "Its keys are lost." } } },
  overflow,
  busy: { status: 503, headers: { "retry-after-ms": "1" } },
  cut: {
    items: [{ text: "cut" }, { call: "print", arguments: { bytes: 1 } }],
    end: { failed: { code: "rate_limit_exceeded", message: "Please try again in 1ms." } },
  },
  incomplete: { items: [{ text: "As far as" }], end: { incomplete: "max_output_tokens" } },
  refused: { status: 400, body: { error: { code: "invalid_prompt", message: "No." } } },
} satisfies Readonly<Record<string, Turn>>;

export interface Answer {
  readonly items: readonly TurnItem[];
  /** Null: it is answered at once. */
  readonly fault: Turn | null;
}

const answer: fc.Arbitrary<Answer> = fc.record({
  items: fc.array(item, { maxLength: 3 }),
  fault: fc.option(fc.constantFrom<Turn[]>(...Object.values(faults)), { freq: 3 }),
});
const answers = fc.array(answer, { minLength: 1, maxLength: 4 });

/** An act of a user, a program, the model's server or the world on a thread. */
export const randomAct = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant("run" as const),
      answers,
      steerAt: fc.option(fc.nat(6)),
      /** At which event AGENTS.md is another. */
      rewriteAt: fc.option(fc.nat(6), { freq: 2 }),
      /** At which event it is interrupted, or its process ends. */
      end: fc.option(fc.record({ how: fc.constantFrom("interrupt", "kill"), at: fc.nat(12) }), { freq: 3 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant("compact" as const), answers: fc.array(answer, { maxLength: 2 }) }),
  },
  fc.constant({ type: "undo" as const }),
  fc.constant({ type: "fork" as const }),
  fc.record({
    type: fc.constant("change" as const),
    change: fc.oneof(
      fc.constantFrom("never", "untrusted", "on-request").map((approvalPolicy) => ({ approvalPolicy }) as const),
      fc.constantFrom("low", "high").map((reasoningEffort) => ({ reasoningEffort }) as const),
      fc.constantFrom("", "sub").map((folder) => ({ folder }) as const),
    ),
  }),
  fc.record({ type: fc.constant("document" as const), text: fc.constantFrom("Use tabs.", "Use spaces.", "") }),
  fc.record({ type: fc.constant("skill" as const), isThere: fc.boolean() }),
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant("resume" as const),
      model: fc.constantFrom("gpt-5-codex", "gpt-5-codex", "gpt-5"),
      sandbox: fc.constantFrom("danger-full-access", "read-only"),
      instructions: fc.constantFrom("", "Be kind."),
      tool: fc.constantFrom("shell_command", "shell_command", "exec_command"),
      limit: fc.constantFrom(null, 12_000),
      hasServer: fc.boolean(),
    }),
  },
);
export type RandomAct = typeof randomAct extends fc.Arbitrary<infer Each> ? Each : never;
