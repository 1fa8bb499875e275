import type { ThreadEvent } from "@unroll/protocol";
import { type Row, type StyledLine, toRowText } from "@unroll/screen";
import { createShownThread, type Libraries, type ShownThread, type ShownThreadOptions } from "@unroll/cells";

export const usage = {
  input_tokens: 0,
  cached_input_tokens: 0,
  cache_write_input_tokens: 0,
  output_tokens: 0,
  reasoning_output_tokens: 0,
};

/** The lines without their looks. */
export function toTexts(lines: readonly StyledLine[]): readonly string[] {
  return lines.map(({ spans }) => toRowText(spans));
}

/** Each styled span, as `role+role:text`. */
export function toLooks(lines: readonly StyledLine[] | readonly { readonly spans: Row }[]): readonly string[] {
  return lines.flatMap(({ spans }) =>
    spans.flatMap(({ text, roles = [] }) => (roles.length === 0 ? [] : [`${roles.join("+")}:${text}`])),
  );
}

export interface TestThread {
  readonly shown: ShownThread;
  /** Takes the events in, and gives the lines that they finish. */
  play(...events: readonly ThreadEvent[]): readonly string[];
  /** The live lines. */
  live(): readonly string[];
  advance(ms: number): void;
}

export function openShown(libraries: Libraries, options: Partial<ShownThreadOptions> = {}): TestThread {
  let time = 0;
  const shown = createShownThread({
    libraries,
    cwd: "/project",
    reasoning: "folded",
    more: "^T shows all",
    clock: { now: () => time },
    ...options,
  });
  return {
    shown,
    play(...events) {
      for (const event of events) shown.apply(event);
      return toTexts(shown.takeLines(79));
    },
    live: () => toTexts(shown.renderLive(79)),
    advance(ms) {
      time += ms;
    },
  };
}

export function say(delta: string, id = "item_0"): ThreadEvent {
  return { type: "item.delta", item_id: id, kind: "agent_message", delta };
}

export function said(text: string, id = "item_0"): ThreadEvent {
  return { type: "item.completed", item: { id, type: "agent_message", text } };
}
