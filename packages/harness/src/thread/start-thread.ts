import type { ResolvedConfig } from "@unroll/config";
import {
  createRequestEncoder,
  createThreadState,
  type EncodedHead,
  encodeRequestHead,
  type StepGuard,
  type ToolRuntime,
} from "@unroll/core";
import { type InitialPrompt, renderInitialPrompt } from "@unroll/prompt";
import type { Journal, JournalEntry, Person } from "@unroll/protocol";
import type { Tool } from "@unroll/tools";
import { nodePromptFiles } from "../files/node-prompt-files.ts";
import { findUserShell } from "../host/user-shell.ts";
import { joinMcp } from "../mcp/join-mcp.ts";
import { warnOfVariables } from "../mcp/warn-of-variables.ts";
import { openTools } from "../tool/open-tools.ts";
import type { SharedParts } from "./shared-parts.ts";
import { createThread, type Thread } from "./thread.ts";
import { createThreadFeed } from "./thread-feed.ts";
import { createThreadSettings } from "./thread-settings.ts";
import { toPromptContext } from "./to-prompt-context.ts";

export interface ThreadOptions {
  /** Absent: the harness's. MCP servers and rules are the harness's in any case. */
  readonly config?: ResolvedConfig;
  /** Null: nobody is asked in this thread. Absent: the harness's. */
  readonly person?: Person | null;
  /** Further tools; they come behind the built-in ones. */
  readonly tools?: readonly Tool[];
  /** Asked before each request, in order. */
  readonly guards?: readonly StepGuard[];
  /** Gets all that it takes to go on with the thread. Absent: it lasts as long as it is open. */
  readonly journal?: Journal;
  /** All entries of the journal of a thread that goes on here. Absent: it is a new one. */
  readonly entries?: readonly JournalEntry[];
  /** The thread that opens this one, for a sub-agent: it closes this one with itself. */
  readonly parent?: Thread;
  /** Waits for all MCP servers as long as they may take. Absent: for those that are not required, as the config says. */
  readonly waitForMcp?: boolean;
  /** Stops the wait for MCP servers: an `AbortError` is thrown then. Absent: nothing does. */
  readonly signal?: AbortSignal;
}

/** Renders the prompt of a new thread, once and for all, and puts its parts together. */
export async function startThread(shared: SharedParts, options: ThreadOptions): Promise<Thread> {
  const { host } = shared;
  const config = options.config ?? shared.config;
  const person = options.person === undefined ? shared.person : options.person;
  const opened = options.entries?.find((entry) => entry.type === "thread.opened") ?? null;
  const id = opened?.threadId ?? host.newId();
  const shell = findUserShell(host);
  const model = shared.models.find(config);
  await using opening = new AsyncDisposableStack();
  const feed = createThreadFeed(id);
  const state = createThreadState({
    ids: config.provider.azure ? "kept" : "dropped",
    ...(options.journal && { journal: options.journal }),
    ...(options.entries && { entries: options.entries }),
  });
  const settings = createThreadSettings({ config, isAttended: person !== null, shellName: shell.name, notes: state.notes });
  const prompt = await renderInitialPrompt(toPromptContext(settings, host, shell.name), nodePromptFiles);
  const mcp = await joinMcp(shared.mcp, { ...options, threadId: id, config, person, feed, notes: state.notes });
  opening.defer(() => mcp.close());
  const extra = [...(options.tools ?? []), ...mcp.tools];
  const tools = openTools({ threadId: id, host, shell, settings, person, notes: state.notes, book: shared.book, extra });
  opening.defer(() => tools.close());
  const head = opened === null ? toHead(id, config, { prompt, tools: tools.runtime }) : { threadId: id, bytes: opened.head };
  if (opened === null) {
    state.journal.record({ type: "thread.opened", threadId: id, head: head.bytes });
    state.transcript.append(...prompt.items);
  }
  state.inbox.put(settings.tellChanges());
  tellOpening(feed, id, [...settings.warnings, ...prompt.warnings, ...warnOfVariables(config, host)]);
  const held = opening.move();
  const thread = createThread({
    id,
    state,
    feed,
    settings,
    requests: createRequestEncoder(head),
    model,
    runtime: mcp.announceAfterCalls(tools.runtime),
    sessions: tools.sessions,
    guards: options.guards ?? [],
    takeAnnouncements: mcp.takeAnnouncements,
    mcpServers: () => shared.mcp?.servers() ?? [],
    skills: prompt.skills,
    files: nodePromptFiles,
    newId: host.newId,
    close: () => held.disposeAsync(),
  });
  options.parent?.onClose(() => thread[Symbol.asyncDispose]());
  return thread;
}
