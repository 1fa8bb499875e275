import {
  type AgentContext,
  type CreateElicitationResponse,
  methods,
  type ReadTextFileRequest,
  type SessionUpdate,
} from "@agentclientprotocol/sdk/unstable";
import type { Clock } from "@unroll/flow";
import type { ThreadClient } from "@unroll/thread-host";
import type { Answer, FormQuestion, ModelQuestions, Question } from "@unroll/protocol";
import { createRefusalWatch, type EditRefusal } from "@unroll/view";
import * as z from "zod";
import { toAnswer, toElicitation } from "../map/to-elicitation.ts";
import { toDecision, toPermission } from "../map/to-permission.ts";
import type { ClientOffers } from "../tell/client-offers.ts";
import { createUpdateTeller, toNotice } from "../tell/create-update-teller.ts";

/** A client, and what it supports. */
export interface ToldClient {
  readonly context: AgentContext;
  readonly offers: ClientOffers;
}

export interface SessionClientParts extends ToldClient {
  readonly clock: Pick<Clock, "elapsed">;
  readonly newId: () => string;
}

const refusalWords: Readonly<Record<EditRefusal, string>> = {
  read_only:
    'This session is read-only, so the agent could not write. To let it edit, set sandbox_mode = "workspace-write" in config.toml, or start unroll acp with -s workspace-write.',
  always_asks:
    'The approval policy untrusted asks before each edit, and this client was not asked. Set approval_policy = "on-request" in config.toml, or start unroll acp with -a on-request.',
};

/** The client of one thread. */
export function createSessionClient(parts: SessionClientParts): ThreadClient {
  const { offers, clock } = parts;
  const teller = createUpdateTeller({ offers, clock });
  const refusals = createRefusalWatch();
  let cwd = "";
  return {
    takes: [
      "command.approval",
      "patch.approval",
      "host.approval",
      "tool.approval",
      "prefix.break",
      ...(offers.forms ? (["model.questions", "server.form"] as const) : []),
    ],
    async tell(event, thread) {
      cwd = thread.config.cwd;
      const { sandboxSettings, approvalPolicy } = thread.config;
      const settings = { sandboxMode: sandboxSettings.mode, approvalPolicy, isPlanning: thread.isPlanning };
      const refusal = refusals.see(event, settings);
      const notices = refusal === null ? [] : [toNotice({ severity: "info", title: refusalWords[refusal] }, offers)];
      await tellUpdates(parts, thread.id, [...teller.tell(event, thread), ...notices]);
    },
    ask: (question, signal) => ask({ ...parts, cwd }, question, signal),
  };
}

/** Resolves when the client has read enough. A client that is gone gets nothing. */
export async function tellUpdates(
  { context }: Pick<ToldClient, "context">,
  sessionId: string,
  updates: readonly SessionUpdate[],
): Promise<void> {
  const told = updates.map((update) => context.notify(methods.client.session.update, { sessionId, update }));
  await Promise.allSettled(told);
}

const fileText = z.object({ content: z.string() });

/** Throws if the client does not give it. */
export async function readClientFile(
  { context }: ToldClient,
  asked: ReadTextFileRequest,
  signal: AbortSignal,
): Promise<string> {
  const given = await context.request(methods.client.fs.readTextFile, asked, toWithdrawal(signal));
  return fileText.parse(given).content;
}

/** `cwd` is that of the thread. */
async function ask(
  parts: SessionClientParts & { readonly cwd: string },
  question: Question,
  signal: AbortSignal,
): Promise<Answer | null> {
  if (question.type === "model.questions" || question.type === "server.form") return askForm(parts, question, signal);
  const { context, newId, cwd } = parts;
  const params = { sessionId: question.threadId, ...toPermission(question, { cwd, freshId: newId() }) };
  const { requestPermission } = methods.client.session;
  const response = await orNothing(context.request(requestPermission, params, toWithdrawal(signal)), signal);
  return response === null ? null : toDecision(response, question);
}

async function askForm(
  { context }: SessionClientParts,
  question: ModelQuestions | FormQuestion,
  signal: AbortSignal,
): Promise<Answer | null> {
  const { threadId: sessionId, itemId: toolCallId } = question;
  const place = toolCallId === null ? { sessionId } : { sessionId, toolCallId };
  const params = { mode: "form", ...place, ...toElicitation(question) };
  const { create } = methods.client.elicitation;
  const asked = context.request<CreateElicitationResponse>(create, params, toWithdrawal(signal));
  const response = await orNothing(asked, signal);
  return response && toAnswer(response, question);
}

/** Null: the client refused, gave no valid answer, or is gone. */
async function orNothing<Response>(asked: Promise<Response>, signal: AbortSignal): Promise<Response | null> {
  try {
    return await asked;
  } catch {
    signal.throwIfAborted();
    return null;
  }
}

/** Withdraws the question when the signal aborts. */
function toWithdrawal(signal: AbortSignal): { cancellationSignal: AbortSignal; stopWaitingOnCancel: true } {
  return { cancellationSignal: signal, stopWaitingOnCancel: true };
}
