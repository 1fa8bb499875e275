import type { ResolvedConfig } from "@unroll/config";
import { createRequestEncoder, createTranscript, type ModelClient } from "@unroll/core";
import type { ElicitationPort, McpWaitOptions } from "@unroll/mcp";
import { renderInitialPrompt } from "@unroll/prompt";
import type { Tool, UserPrompter } from "@unroll/tools";
import type { ApprovalPort } from "../approval/approval-port.ts";
import { nodePromptFiles } from "../files/node-prompt-files.ts";
import type { HostEnvironment } from "../host/host-environment.ts";
import { findUserShell } from "../host/user-shell.ts";
import { awaitMcp } from "../mcp/await-mcp.ts";
import { openMcp } from "../mcp/open-mcp.ts";
import { createThreadMcp, noMcp } from "../mcp/thread-mcp.ts";
import { warnOfVariables } from "../mcp/warn-of-variables.ts";
import { openModel, type OpenModel } from "../model/open-model.ts";
import { openSandbox } from "../sandbox/open-sandbox.ts";
import { openTools } from "../tool/open-tools.ts";
import { createThread, type Thread } from "./thread.ts";
import { toPromptContext } from "./to-prompt-context.ts";
import { toRequestTail } from "./to-request-tail.ts";

export interface OpenThreadOptions {
  readonly host: HostEnvironment;
  readonly config: ResolvedConfig;
  /** Who asks, for the server's logs: `my-program/1.2.0`. */
  readonly userAgent: string;
  /** Absent: a client of the provider that the config names. */
  readonly model?: ModelClient;
  /** Answers what the approval policy asks. Absent: nothing is asked, and what would be is refused. */
  readonly approvals?: ApprovalPort;
  /** Puts the model's questions to a person. Absent: the model has no tool for questions. */
  readonly userInput?: UserPrompter;
  /** Further tools; they come behind the built-in ones. */
  readonly tools?: readonly Tool[];
  /** Puts the questions of MCP servers to a person. Absent: they are declined. */
  readonly elicit?: ElicitationPort;
  /** Waits for all MCP servers as long as they may take. Absent: for those that are not required, as the config says. */
  readonly waitForMcp?: boolean;
  /** Stops the wait for MCP servers: `openThread` then throws an `AbortError`. Absent: nothing does. */
  readonly signal?: AbortSignal;
}

/**
 * Opens a new thread: renders its prompt, once and for all, and puts its parts together. Throws `PromptError` for an
 * instruction file that cannot be read, and `HarnessError` where the provider's key is missing or a required MCP server
 * does not start. MCP servers start at once and beside everything else.
 */
export async function openThread(options: OpenThreadOptions): Promise<Thread> {
  const { host, config } = options;
  const shell = findUserShell(host);
  await using opening = new AsyncDisposableStack();
  const model = options.model ? keepOpen(options.model) : openModel(config, host, options.userAgent);
  opening.defer(() => model.close());
  const mcp = await openMcp(options);
  opening.use(mcp);
  const sandbox = openSandbox(config, host);
  opening.use(sandbox);
  const context = toPromptContext({ config, host, shellName: shell.name, sandboxPolicy: sandbox.policy });
  const prompt = await renderInitialPrompt(context, nodePromptFiles);
  const id = host.newId();
  const threadMcp = mcp ? createThreadMcp(mcp, await awaitMcp(mcp, toMcpWait(options))) : noMcp;
  const tools = await openTools({
    threadId: id,
    config,
    host,
    sandbox,
    shell,
    approvals: options.approvals ?? null,
    userInput: options.userInput ?? null,
    extra: [...(options.tools ?? []), ...threadMcp.tools],
  });
  opening.defer(() => tools.close());
  const transcript = createTranscript(config.provider.azure ? "kept" : "dropped");
  transcript.append(...prompt.items);
  const requests = createRequestEncoder({
    threadId: id,
    model: config.model,
    instructions: prompt.instructions,
    tools: tools.runtime.specs,
    parallelToolCalls: config.modelFamily.supportsParallelToolCalls,
    store: config.provider.azure,
    ...(config.serviceTier === null ? {} : { serviceTier: config.serviceTier }),
  });
  const opened = opening.move();
  return createThread({
    id,
    warnings: [
      ...config.warnings.map(({ message }) => message),
      ...sandbox.warnings,
      ...prompt.warnings,
      ...warnOfVariables(config, host),
    ],
    transcript,
    requests,
    requestTail: toRequestTail(config),
    model,
    tools: threadMcp.announceAfterCalls(tools.runtime),
    mcp: threadMcp,
    sessions: tools.sessions,
    mcpServers: () => mcp?.servers() ?? [],
    skills: prompt.skills,
    files: nodePromptFiles,
    newId: host.newId,
    close: () => opened.disposeAsync(),
  });
}

function toMcpWait({ config, waitForMcp = false, signal }: OpenThreadOptions): McpWaitOptions {
  const { mcpStartupGraceMs: graceMs } = config;
  return { graceMs, waitForAll: waitForMcp, signal: signal ?? new AbortController().signal };
}

/** A client that the caller gave stays the caller's to close. */
function keepOpen(model: ModelClient): OpenModel {
  return { stream: (request, signal) => model.stream(request, signal), close: () => {} };
}
