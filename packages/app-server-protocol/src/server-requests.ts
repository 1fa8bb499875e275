import * as z from "zod";
import { commandAction } from "./thread-item.ts";

const ofTurn = { threadId: z.string(), turnId: z.string() };
const amendment = z.array(z.string());
const decision = z.enum(["accept", "acceptForSession", "decline", "cancel"]);
const commandDecision = z.union([
  decision,
  z.object({ acceptWithExecpolicyAmendment: z.object({ execpolicy_amendment: amendment }) }),
]);

/** Requests of the server to the clients of a thread; the first answer counts. */
export const serverRequests = {
  "item/commandExecution/requestApproval": {
    params: z.object({
      ...ofTurn,
      itemId: z.string(),
      startedAtMs: z.number(),
      reason: z.string(),
      command: z.string(),
      cwd: z.string(),
      commandActions: z.array(commandAction),
      proposedExecpolicyAmendment: amendment.nullable(),
      networkApprovalContext: z
        .object({ host: z.string(), protocol: z.enum(["http", "https", "socks5Tcp", "socks5Udp"]) })
        .exactOptional(),
      availableDecisions: z.array(commandDecision),
    }),
    result: z.object({ decision: commandDecision }),
  },
  "item/fileChange/requestApproval": {
    params: z.object({
      ...ofTurn,
      itemId: z.string(),
      startedAtMs: z.number(),
      reason: z.string(),
      grantRoot: z.string().nullable(),
    }),
    result: z.object({ decision }),
  },
  "mcpServer/elicitation/request": {
    params: z.object({
      threadId: z.string(),
      turnId: z.string().nullable(),
      serverName: z.string(),
      mode: z.literal("form"),
      _meta: z.record(z.string(), z.unknown()).nullable(),
      message: z.string(),
      requestedSchema: z.record(z.string(), z.unknown()),
    }),
    result: z.object({
      action: z.enum(["accept", "decline", "cancel"]),
      content: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])).nullish(),
    }),
  },
  "item/tool/requestUserInput": {
    params: z.object({
      ...ofTurn,
      itemId: z.string(),
      /** The turn waits for the answer. */
      isBlocking: z.literal(true),
      questions: z.array(
        z.object({
          id: z.string(),
          header: z.string(),
          question: z.string(),
          isOther: z.boolean(),
          isSecret: z.boolean(),
          options: z.array(z.object({ label: z.string(), description: z.string() })),
        }),
      ),
    }),
    result: z.object({ answers: z.record(z.string(), z.object({ answers: z.array(z.string()) })) }),
  },
} as const;

/** The name of a question of the server. */
export type ServerMethod = keyof typeof serverRequests;
/** The parameters of a server's request. */
export type ServerParams<Method extends ServerMethod> = z.infer<(typeof serverRequests)[Method]["params"]>;
/** A client's answer. */
export type ServerResult<Method extends ServerMethod> = z.infer<(typeof serverRequests)[Method]["result"]>;
