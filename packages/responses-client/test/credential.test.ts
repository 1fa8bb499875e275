import { expect, test } from "vitest";
import { type Answer, completed, json, startFaultServer, stream } from "./support/fault-server.ts";
import { collect, key, never, openClient, request } from "./support/open-client.ts";

const done = { type: "completed", responseId: "resp_1", usage: null };

test("no message repeats the credential, a configured secret or a key with a line break in it", async () => {
  const echo: Answer = json(
    400,
    {
      error: {
        code: `bad ${key}`,
        message: `Bearer ${key}, api-key-123456 and s3cret-sig are wrong in v1-preview, ${key}!`,
      },
    },
    { "x-request-id": key },
  );
  await using server = await startFaultServer([echo]);
  const queryParams = { "api-version": "v1-preview", sig: "s3cret-sig" };
  using client = openClient(server.origin, { provider: { headers: { "api-key": "api-key-123456" }, queryParams } });
  const { outcome } = await collect(client.stream(request, never));
  expect(outcome).toEqual({
    type: "failed",
    error: {
      code: "bad [secret]",
      message: `${new URL(server.origin).host} refused the request (400): [secret], [secret] and [secret] are wrong in v1-preview, [secret]!`,
      retryable: false,
      status: 400,
      requestId: "[secret]",
    },
  });
  const credential = { authorization: async () => ({ authorization: `Bearer ${key}\n` }) };
  using broken = openClient(server.origin, { credential });
  expect((await collect(broken.stream(request, never))).outcome).toMatchObject({
    type: "failed",
    error: {
      code: "connection_failed",
      message: expect.stringContaining("check the key and http_headers for line breaks"),
    },
  });
  expect(server.requests.length).toBe(1);
});

test("a message is cut where a server says too much, and never within a credential", async () => {
  const long = json(400, { error: { message: `${"x".repeat(1100)} ${`${key} `.repeat(100)}` } });
  await using server = await startFaultServer([long]);
  using client = openClient(server.origin);
  const { outcome } = await collect(client.stream(request, never));
  const { message } = (outcome as { error: { message: string } }).error;
  expect(message).toHaveLength(1201);
  expect(message).toMatch(/x \[secret\] .*…$/);
  expect(message).not.toContain("sk-");
});

test("after a 401 the credential is refreshed once, and the request sent again without a word", async () => {
  await using server = await startFaultServer([json(401, {}), stream(completed), json(401, {})]);
  let token = "stale-token";
  let refreshes = 0;
  const credential = {
    authorization: async () => ({ authorization: `Bearer ${token}` }),
    refresh: async (refused: Readonly<Record<string, string>>) => {
      expect(refused).toEqual({ authorization: `Bearer ${token}` });
      refreshes++;
      token = "fresh-token";
      return true;
    },
  };
  using client = openClient(server.origin, { credential });
  expect(await collect(client.stream(request, never))).toEqual({ events: [], outcome: done });
  expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
    "Bearer stale-token",
    "Bearer fresh-token",
  ]);
  expect(refreshes).toBe(1);
  const { outcome } = await collect(client.stream(request, never));
  expect(outcome).toMatchObject({ type: "failed", error: { code: "unauthorized" } });
  expect(refreshes).toBe(2);
});

test("a login that cannot be refreshed fails the request with its own message; a bug of the provider is thrown", async () => {
  await using server = await startFaultServer([json(401, {})]);
  const expired = Object.assign(new Error("The login has expired; run `unroll login`."), { code: "login_expired" });
  const authorization = async (): Promise<Record<string, string>> => ({});
  using client = openClient(server.origin, { credential: { authorization, refresh: () => Promise.reject(expired) } });
  expect((await collect(client.stream(request, never))).outcome).toEqual({
    type: "failed",
    error: { code: "login_expired", message: "The login has expired; run `unroll login`.", retryable: false },
  });
  using buggy = openClient(server.origin, {
    credential: { authorization: () => Promise.reject(new TypeError("bug")) },
  });
  await expect(collect(buggy.stream(request, never))).rejects.toThrow("bug");
});
