import { type AnyMessage, methods, type Stream } from "@agentclientprotocol/sdk/unstable";
import { checkMembers, createIgnoredReport, type MemberSchema } from "@unroll/thread-host/wire";

const { agent } = methods;

const any: MemberSchema = {};

function has(members: Readonly<Record<string, MemberSchema>>, ...names: readonly string[]): MemberSchema {
  return { properties: { ...Object.fromEntries(names.map((name) => [name, any])), ...members } };
}

const tagged = (tag: string, ...names: readonly string[]): MemberSchema => has({ type: { const: tag } }, ...names);

const pairs: MemberSchema = { items: has({}, "name", "value") };
const server: MemberSchema = { items: has({ env: pairs, headers: pairs }, "name", "type", "command", "args", "url") };
const content: MemberSchema = {
  items: {
    anyOf: [
      tagged("text", "text", "annotations"),
      tagged("image", "data", "mimeType", "uri", "annotations"),
      tagged("audio", "data", "mimeType", "annotations"),
      tagged("resource_link", "uri", "name", "title", "description", "mimeType", "size", "annotations"),
      has({ type: { const: "resource" }, resource: has({}, "uri", "mimeType", "text", "blob") }, "annotations"),
    ],
  },
};
const opening = has({ mcpServers: server }, "sessionId", "cwd", "additionalDirectories");

/**
 * Members of each request that the agent reads, or that describe the editor or a content. The library drops the others before our
 * methods see them.
 */
const known: Readonly<Record<string, MemberSchema>> = {
  [agent.initialize]: has({ clientCapabilities: any, clientInfo: any }, "protocolVersion"),
  [agent.authenticate]: has({}, "methodId"),
  [agent.session.new]: opening,
  [agent.session.load]: opening,
  [agent.session.resume]: opening,
  [agent.session.fork]: opening,
  [agent.session.list]: has({}, "cwd", "cursor"),
  [agent.session.prompt]: has({ prompt: content }, "sessionId"),
  [agent.session.setMode]: has({}, "sessionId", "modeId"),
  [agent.session.setConfigOption]: has({}, "sessionId", "configId", "value", "type"),
};
/** Only a limit counts in a request that the agent does not read. */
const unread = has({});
/** In metadata, too. */
const metadata = /(^|\.)_meta$/;

/**
 * A stream that answers requests with a limit which the agent does not understand, so that they reach nobody. `complain` gets other
 * unknown members, once for each method and member.
 */
export function refuseLimits({ readable, writable }: Stream, complain: (text: string) => void): Stream {
  const writer = writable.getWriter();
  const report = createIgnoredReport();

  const checking = new TransformStream<AnyMessage, AnyMessage>({
    async transform(message, controller) {
      if (!("method" in message) || !("id" in message)) return controller.enqueue(message);
      const { id, method, params } = message;
      const { fault, others } = checkMembers(params ?? {}, known[method] ?? unread);
      if (fault !== null) {
        const error = { code: -32602, message: `${method}: ${fault}`, data: { place: fault.split(":", 1)[0] } };
        await writer.write({ jsonrpc: "2.0", id, error });
        return;
      }
      const ignored = Object.hasOwn(known, method) ? others.filter((place) => !metadata.test(place)) : [];
      const told = report(method, ignored);
      if (told !== null) complain(told);
      controller.enqueue(message);
    },
  });
  return {
    readable: readable.pipeThrough(checking),
    writable: new WritableStream<AnyMessage>({ write: (message) => writer.write(message) }),
  };
}
