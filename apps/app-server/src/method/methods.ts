import type { ClientMethod } from "@unroll/app-server-protocol";
import { parseParams } from "../wire/parse-wire.ts";
import { accountMethods } from "./account-methods.ts";
import { configWriteMethods } from "./config-write-methods.ts";
import { configMethods } from "./config-methods.ts";
import { fileMethods } from "./file-methods.ts";
import { fsMethods } from "./fs-methods.ts";
import { historyMethods } from "./history-methods.ts";
import { initialize } from "./initialize.ts";
import { listingMethods } from "./listing-methods.ts";
import { mcpMethods } from "./mcp-methods.ts";
import type { MethodContext, MethodReply, MethodTable } from "./method.ts";
import { reviewMethods } from "./review-methods.ts";
import { threadStateMethods } from "./thread-state-methods.ts";
import { threadMethods } from "./thread-methods.ts";
import { turnMethods } from "./turn-methods.ts";

const methods: MethodTable<ClientMethod> = {
  initialize,
  ...threadMethods,
  ...historyMethods,
  ...threadStateMethods,
  ...turnMethods,
  ...reviewMethods,
  ...configMethods,
  ...configWriteMethods,
  ...listingMethods,
  ...fsMethods,
  ...mcpMethods,
  ...accountMethods,
  ...fileMethods,
};

/** Answers a request of the protocol. Throws `RequestFault` for parameters that are wrong. */
export function answerRequest<Name extends ClientMethod>(
  name: Name,
  params: unknown,
  context: MethodContext,
): Promise<MethodReply<Name>> {
  const answer: MethodTable<ClientMethod>[Name] = methods[name];
  return answer(parseParams(name, params), context);
}
