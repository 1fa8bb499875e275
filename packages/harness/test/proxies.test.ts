import { createServer } from "node:http";
import { loadConfig } from "@unroll/config";
import { checkProvider, logInToMcp } from "@unroll/harness";
import { expect, test } from "vitest";
import { createTestHost } from "./test-host.ts";

/** A proxy that answers itself, for hosts that do not exist. */
async function startProxy(
  answers: Readonly<Record<string, unknown>>,
): Promise<AsyncDisposable & { url: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    asked.push(url);
    const answer = answers[url];
    response.writeHead(answer === undefined ? 404 : 200).end(JSON.stringify(answer ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    [Symbol.asyncDispose]: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}

test("health checks and logins to MCP servers go through the proxy that requests go through", async () => {
  const origin = "http://models.invalid:11434";
  await using proxy = await startProxy({
    [`${origin}/api/version`]: { version: "0.13.4" },
    [`${origin}/api/tags`]: { models: [{ name: "gpt-oss:20b" }] },
  });
  const env = { http_proxy: proxy.url };
  const overrides = [
    { key: "model_providers.ollama.base_url", value: `${origin}/v1`, origin: "-c" },
    { key: "mcp_servers.far.url", value: "http://mcp.invalid/mcp", origin: "-c" },
  ];
  const flags = { localProvider: "ollama" } as const;
  const config = await loadConfig({ codexHome: "/sys/nonexistent", cwd: "/", env, overrides, flags });
  const { signal } = new AbortController();
  expect(await checkProvider(config, { env, signal })).toEqual({ type: "ready", version: "0.13.4" });
  const host = createTestHost(env, "/");
  const login = { config, host, server: "far", openPage: async () => {}, onHost: () => {}, signal };
  expect(await logInToMcp(login)).toMatchObject({ type: "failed" });
  expect(proxy.asked).toEqual(
    expect.arrayContaining([`${origin}/api/version`, `${origin}/api/tags`, "http://mcp.invalid/mcp"]),
  );
});
