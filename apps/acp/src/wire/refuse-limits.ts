import { type AnyMessage, methods, type Stream } from "@agentclientprotocol/sdk/unstable";
import { findRestraint } from "@unroll/protocol";
import { createIgnoredReport, describeRestraint } from "@unroll/thread-host/wire";

const { agent } = methods;
const opening = ["cwd", "additionalDirectories", "mcpServers"];

/** Members of each request that the agent reads. The library drops the others before our methods see them. */
const known: Readonly<Record<string, readonly string[]>> = {
  [agent.initialize]: ["protocolVersion", "clientCapabilities", "clientInfo"],
  [agent.authenticate]: ["methodId"],
  [agent.session.new]: opening,
  [agent.session.load]: ["sessionId", ...opening],
  [agent.session.resume]: ["sessionId", ...opening],
  [agent.session.fork]: ["sessionId", ...opening],
  [agent.session.list]: ["cwd", "cursor"],
  [agent.session.prompt]: ["sessionId", "prompt"],
  [agent.session.setMode]: ["sessionId", "modeId"],
  [agent.session.setConfigOption]: ["sessionId", "configId", "value", "type"],
};

/** Descriptions of the editor itself: they ask for nothing. */
const described: readonly string[] = ["clientCapabilities", "clientInfo"];

/**
 * A stream that answers requests with a limit which the agent does not understand, so that they reach nobody. `complain` gets other
 * unknown members, once for each method and member.
 */
export function refuseLimits({ readable, writable }: Stream, complain: (text: string) => void): Stream {
  const writer = writable.getWriter();
  const report = createIgnoredReport();

  function reportIgnored(method: string, params: object): void {
    const names = known[method];
    if (names === undefined) return;
    const unknown = Object.entries(params).filter(
      ([name, value]) => name !== "_meta" && value !== null && !names.includes(name),
    );
    const message = report(
      method,
      unknown.map(([name]) => name),
    );
    if (message !== null) complain(message);
  }

  const checking = new TransformStream<AnyMessage, AnyMessage>({
    async transform(message, controller) {
      if (!("method" in message) || !("id" in message)) return controller.enqueue(message);
      const { id, method, params } = message;
      const asked = Object.fromEntries(Object.entries(Object(params)).filter(([name]) => !described.includes(name)));
      const path = findRestraint(asked);
      if (path === null) {
        reportIgnored(method, asked);
        return controller.enqueue(message);
      }
      const error = { code: -32602, message: `${method}: ${describeRestraint(path, asked)}`, data: { place: path } };
      await writer.write({ jsonrpc: "2.0", id, error });
    },
  });
  return {
    readable: readable.pipeThrough(checking),
    writable: new WritableStream<AnyMessage>({ write: (message) => writer.write(message) }),
  };
}
