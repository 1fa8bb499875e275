import type { ElicitationPort, McpPool, McpView, McpWaitOptions } from "@unroll/mcp";
import {
  type FormQuestion,
  type KnownMcpTool,
  type McpAnnouncement,
  type McpTool,
  type ResponseItem,
  type ThreadEvent,
  type ThreadNotes,
  withAuthor,
} from "@unroll/protocol";
import {
  askPerson,
  createMcpGatewayTools,
  createMcpTools,
  createUnlistedMcpTools,
  maskStrings,
  parseForm,
  renderMcpAnnouncements,
  takesQuestion,
  type Tool,
  type UnlistedTools,
} from "@unroll/tools";
import type { SecretMask } from "@unroll/text";
import type { ThreadBase } from "../base/thread-base.ts";
import { HarnessError } from "../harness-error.ts";

/** A thread's view of the shared MCP servers. */
export interface ThreadMcp extends Pick<UnlistedTools, "find" | "explain"> {
  /** For the end of the thread's list: the gateway, then the tools of the servers that were up in time. */
  readonly tools: readonly Tool[];
  /** The tools of the servers that it lists: for the thread's notes. */
  readonly listed: readonly McpTool[];
  /**
   * Returns the message about tools that differ from those that the model knows: tools that came
   * too late for the list or are too large for it, tools with other arguments, and removed ones.
   * Empty if there is no difference. `hasGateway`: the thread's list has `mcp_call`.
   */
  takeAnnouncements(options: { readonly hasGateway: boolean }): readonly ResponseItem[];
  /** The thread went back: its notes hold what the model knew then. */
  returnToNotes(): void;
  close(): void;
}

const noMcp: ThreadMcp = {
  tools: [],
  listed: [],
  find: () => null,
  explain: () => null,
  takeAnnouncements: () => [],
  returnToNotes: () => {},
  close: () => {},
};

/**
 * Waits for the servers before the first request. A resumed thread keeps its list, and gets
 * announcements of the rest. Throws `HarnessError` `mcp_required_failed` with the events of the
 * servers, and an `AbortError` when the signal aborts.
 */
export async function joinMcp(base: ThreadBase): Promise<ThreadMcp> {
  const { mcp: pool } = base.shared;
  if (pool === null) return { ...noMcp, takeAnnouncements: () => announceGone(base) };
  const { notes } = base.state;
  const { mcpStartupGraceMs: graceMs, mcpToolSchemaTokens: maxSchemaTokens } = base.settings.config;
  const wait = { graceMs, waitForAll: base.own.waitForMcp, signal: base.own.signal };
  const known = notes.get("mcpListed");
  /** For the error of a thread that is never opened. */
  const events: ThreadEvent[] = [];
  let isSettled = false;
  const view = pool.join({
    elicit: createElicitation(base),
    maxSchemaTokens,
    ...(known && { known: { listed: known, told: readTold(notes) } }),
  });
  try {
    view.onEvent((event) => {
      if (!isSettled) events.push(event);
      base.feed.tell(event);
    });
    const listed = known ?? maskTools(await settleList(view, wait, events), base.secrets);
    if (known !== null) await settleElsewhere(pool, wait, events);
    isSettled = true;
    return createThreadMcp(view, listed, base);
  } catch (error) {
    view.close();
    throw error;
  }
}

/** The view of a resumed thread has nothing to settle: another one waits for it, and leaves. */
async function settleElsewhere(pool: McpPool, wait: McpWaitOptions, events: readonly ThreadEvent[]): Promise<void> {
  const view = pool.join({});
  try {
    await settleList(view, wait, events);
  } finally {
    view.close();
  }
}

async function settleList(
  view: McpView,
  wait: McpWaitOptions,
  events: readonly ThreadEvent[],
): Promise<readonly McpTool[]> {
  const readiness = await view.whenReady(wait);
  switch (readiness.type) {
    case "ready":
      return readiness.tools;
    case "aborted":
      throw new DOMException("The wait for MCP servers was interrupted.", "AbortError");
    case "required_failed": {
      const { failure, server } = readiness;
      const how = `The thread cannot start without it: fix it, or set mcp_servers.${server}.required = false.`;
      throw new HarnessError("mcp_required_failed", `${failure.message} ${how}`, { events });
    }
  }
}

function createThreadMcp(view: McpView, listed: readonly McpTool[], { state, secrets }: ThreadBase): ThreadMcp {
  const { notes } = state;
  return {
    tools: [...createMcpGatewayTools(view), ...createMcpTools(listed, view)],
    ...createUnlistedMcpTools(view, () => view.known()),
    listed,
    takeAnnouncements({ hasGateway }) {
      const announcements = view.takeAnnouncements();
      if (announcements.length === 0) return [];
      notes.set("mcpTold", view.known());
      return [toMessage(renderMcpAnnouncements(announcements, { hasGateway }), secrets)];
    },
    returnToNotes: () => view.resetKnown({ listed, told: readTold(notes) }),
    close: () => view.close(),
  };
}

/** No server is in the config any more, and so there is none of the gateway's tools. */
function announceGone({ state: { notes }, secrets }: ThreadBase): readonly ResponseItem[] {
  const removed = readTold(notes) ?? notes.get("mcpListed") ?? [];
  if (removed.length === 0) return [];
  notes.set("mcpTold", []);
  const gone: McpAnnouncement = { server: "", reason: "late", added: [], changed: [], removed };
  return [toMessage(renderMcpAnnouncements([gone], { hasGateway: false }), secrets)];
}

/** Null, too, where an earlier version has noted names alone. */
function readTold(notes: ThreadNotes): readonly KnownMcpTool[] | null {
  const told = notes.get("mcpTold");
  return told?.every((tool) => typeof tool !== "string") ? told : null;
}

/** A server's descriptions of its tools may hold a secret. */
function maskTools(tools: readonly McpTool[], secrets: SecretMask | null): readonly McpTool[] {
  return secrets ? maskStrings(tools, secrets.mask) : tools;
}

function toMessage(text: string, secrets: SecretMask | null): ResponseItem {
  const content = [{ type: "input_text", text: secrets?.mask(text) ?? text }] as const;
  return withAuthor({ type: "message", role: "developer", content }, { type: "harness", fragment: "mcp_tools" });
}

/**
 * Asks the person to fill in a form, and records the question and the answer. Anything that is not
 * an answer declines.
 */
function createElicitation({ own: { id: threadId }, settings, feed }: ThreadBase): ElicitationPort {
  return async (request, signal) => {
    const person = settings.approvals.asksOfMcp ? settings.person : null;
    if (!takesQuestion(person, "server.form")) return { type: "declined" };
    const question: FormQuestion = { type: "server.form", threadId, itemId: null, ...request };
    const emit = async (event: ThreadEvent): Promise<void> => feed.tell(event);
    return (await askPerson(person, { question, read: parseForm }, { signal, emit })) ?? { type: "declined" };
  };
}
