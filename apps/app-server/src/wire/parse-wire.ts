import {
  type ClientMethod,
  type ClientParams,
  clientRequests,
  type ServerMethod,
  serverRequests,
  type ServerResult,
  toAnswerSchema,
  toParamsSchema,
} from "@unroll/app-server-protocol";
import { checkByPlace, checkMembers, type MemberSchema, RequestFault } from "@unroll/thread-host/wire";

/** Throws `RequestFault` that names each wrong parameter by its place: `input[0].text`. */
export function parseParams<Method extends ClientMethod>(method: Method, params: unknown): ClientParams<Method> {
  return checkByPlace<unknown>(clientRequests[method].params, params ?? {}, method) as ClientParams<Method>;
}

/** Throws `RequestFault` if the result is not a valid answer to that method. */
export function parseAnswer<Method extends ServerMethod>(method: Method, result: unknown): ServerResult<Method> {
  const { fault } = checkMembers(result, toAnswerSchema(method) as MemberSchema);
  if (fault !== null) throw new RequestFault("invalidParams", `${method}: ${fault}`);
  return checkByPlace<unknown>(serverRequests[method].result, result, method) as ServerResult<Method>;
}

const memberSchemas = new Map<ClientMethod, MemberSchema>();

/** Which members the parameters of a method can have. */
export function parseMemberSchema(method: ClientMethod): MemberSchema {
  const schema = memberSchemas.get(method) ?? (toParamsSchema(method) as MemberSchema);
  memberSchemas.set(method, schema);
  return schema;
}
