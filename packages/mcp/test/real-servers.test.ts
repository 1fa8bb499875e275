import { mkdtempDisposable, realpath, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { McpElicitation, McpJoinOptions, McpPool } from "@unroll/mcp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  createFolder,
  type Fixture,
  joinTestPool,
  never,
  openFixture,
  openTestPool,
  textOf,
} from "./fixture/open-fixture.ts";
import { serveEverything } from "./fixture/serve-everything.ts";
import { httpServer, realServer } from "./fixture/servers.ts";

describe.for(["stdio", "HTTP"] as const)("server-everything over %s", (kind) => {
  const shared = new AsyncDisposableStack();
  let pool: McpPool | null = null;

  beforeAll(async () => {
    if (kind === "HTTP") return;
    const { path } = shared.use(await mkdtempDisposable(join(tmpdir(), "unroll-mcp-")));
    pool = shared.use(openTestPool(path, { servers: [realServer("everything")] }));
  });
  afterAll(() => shared.disposeAsync());

  /** A program takes long to start, so its tests share one: each joins it. */
  async function open(options: McpJoinOptions = {}): Promise<Omit<Fixture, "folder">> {
    if (pool !== null) return joinTestPool(pool, options);
    return openFixture({ servers: [httpServer("everything", (await serveEverything()).url)], ...options });
  }

  it("has its tools called", async () => {
    const { ready, call } = await open();
    const tools = await ready();
    expect(tools.find(({ tool }) => tool === "get-sum")).toEqual({
      name: "mcp__everything__get-sum",
      server: "everything",
      tool: "get-sum",
      description: "Returns the sum of two numbers",
      parameters: {
        type: "object",
        properties: {
          a: { type: "number", description: "First number" },
          b: { type: "number", description: "Second number" },
        },
        required: ["a", "b"],
      },
      readOnly: true,
    });
    expect(textOf(await call("everything", "get-sum", { a: 2, b: 3 }))).toBe("The sum of 2 and 3 is 5.");
  });

  it("gives structured content, images, links and errors", async () => {
    const { call } = await open();
    expect(await call("everything", "get-structured-content", { location: "Chicago" })).toMatchObject({
      structuredContent: { temperature: 36, conditions: "Light rain / drizzle", humidity: 82 },
    });
    expect(await call("everything", "get-tiny-image")).toMatchObject({
      content: [{ type: "text" }, { type: "image", mimeType: "image/png" }, { type: "text" }],
    });
    expect(await call("everything", "get-resource-links", { count: 1 })).toMatchObject({
      content: [{ type: "text" }, { type: "resource_link", uri: expect.stringMatching(/^demo:/) }],
    });
    expect(await call("everything", "get-sum", { a: "no number" })).toMatchObject({ type: "completed", isError: true });
  });

  it("tells its progress", async () => {
    const { call, progress } = await open();
    await call("everything", "trigger-long-running-operation", { duration: 0.1, steps: 2 });
    expect(progress).toEqual([1, 2].map((done) => ({ done, total: 2, message: null })));
  });

  it("is cancelled in a call and used again", async () => {
    const { ready, call, callUntil, progress } = await open();
    await ready();
    const abort = new AbortController();
    const outcome = callUntil(abort.signal)("everything", "trigger-long-running-operation", {
      duration: 60,
      steps: 6_000,
    });
    while (progress.length === 0) await call("everything", "get-sum", { a: 1, b: 1 });
    abort.abort();
    expect(await outcome).toMatchObject({ type: "failed", code: "cancelled" });
    expect(textOf(await call("everything", "get-sum", { a: 1, b: 1 }))).toBe("The sum of 1 and 1 is 2.");
  });

  it("asks the person, who answers", async () => {
    const asked: McpElicitation[] = [];
    const { call } = await open({
      elicit: async (request) => {
        asked.push(request);
        return { type: "accepted", values: { name: "Ada", check: true, untitledMultipleSelectEnum: ["x"] } };
      },
    });
    const outcome = await call("everything", "trigger-elicitation-request");
    expect(JSON.stringify(outcome)).toContain("Ada");
    expect(asked).toMatchObject([{ server: "everything", message: "Please provide inputs for the following fields:" }]);
    expect(asked[0]?.fields.slice(0, 4)).toEqual([
      {
        name: "name",
        title: "String",
        description: "Your full, legal name",
        isRequired: true,
        input: { type: "text", format: null, minLength: 0, maxLength: Infinity },
        defaultValue: null,
      },
      {
        name: "check",
        title: "Boolean",
        description: "Agree to the terms and conditions",
        isRequired: false,
        input: { type: "boolean" },
        defaultValue: null,
      },
      {
        name: "firstLine",
        title: "String with default",
        description: "Favorite first line of a story",
        isRequired: false,
        input: { type: "text", format: null, minLength: 0, maxLength: Infinity },
        defaultValue: "It was a dark and stormy night.",
      },
      {
        name: "email",
        title: "String with email format",
        description: "Your email address (will be verified, and never shared with anyone else)",
        isRequired: false,
        input: { type: "text", format: "email", minLength: 0, maxLength: Infinity },
        defaultValue: null,
      },
    ]);
    expect(new Set(asked[0]?.fields.map(({ input }) => input.type))).toEqual(
      new Set(["text", "boolean", "number", "choice"]),
    );
  });

  it("is declined what it asks where nobody is there", async () => {
    const { call } = await open();
    expect(JSON.stringify(await call("everything", "trigger-elicitation-request"))).toContain("declined");
  });

  it("has its resources listed and read", async () => {
    const { view } = await open();
    const first = await view.listResources({ kind: "resources", server: "everything", cursor: null }, never);
    expect(first).toMatchObject({ type: "listed", failures: [], nextCursor: null });
    const entries = first.type === "listed" ? first.entries : [];
    expect(entries).toContainEqual(
      expect.objectContaining({ server: "everything", uri: "demo://resource/static/document/features.md" }),
    );
    expect(await view.listResources({ kind: "resources", server: null, cursor: null }, never)).toEqual(first);
    expect(await view.listResources({ kind: "templates", server: null, cursor: null }, never)).toMatchObject({
      entries: [
        { server: "everything", uriTemplate: "demo://resource/dynamic/text/{resourceId}" },
        { server: "everything", uriTemplate: "demo://resource/dynamic/blob/{resourceId}" },
      ],
    });
    const uri = "demo://resource/dynamic/text/1";
    expect(await view.readResource({ server: "everything", uri }, never)).toMatchObject({
      type: "read",
      contents: [{ uri, mimeType: "text/plain", text: expect.stringContaining("Resource 1") }],
    });
    expect(await view.readResource({ server: "everything", uri: "demo://none" }, never)).toMatchObject({
      type: "failed",
      code: "refused",
    });
    expect(await view.readResource({ server: "other", uri }, never)).toMatchObject({ code: "unknown_server" });
  });
});

describe("server-filesystem", () => {
  it("works in its roots", async () => {
    const folder = await realpath(await createFolder());
    await writeFile(join(folder, "note.txt"), "hello");
    const { call } = await openFixture({ servers: [realServer("filesystem")], roots: [folder] });
    // It asks for the roots when it has been greeted, and says nothing when it has them.
    while (!textOf(await call("filesystem", "list_allowed_directories")).includes(folder));
    expect(textOf(await call("filesystem", "read_text_file", { path: join(folder, "note.txt") }))).toBe("hello");
    expect(await call("filesystem", "read_text_file", { path: "/etc/passwd" })).toMatchObject({ isError: true });
  });
});

describe("server-memory", () => {
  it("saves its data where its environment says", async () => {
    const folder = await createFolder();
    const env = { MEMORY_FILE_PATH: { reveal: () => join(folder, "memory.jsonl") } };
    const entities = [{ name: "unroll", entityType: "program", observations: ["is a harness"] }];
    const first = await openFixture({ servers: [realServer("memory", [], { env })] });
    expect(await first.call("memory", "create_entities", { entities })).toMatchObject({
      isError: false,
      structuredContent: { entities },
    });
    await first.pool[Symbol.asyncDispose]();
    const second = await openFixture({ servers: [realServer("memory", [], { env })] });
    expect(await second.call("memory", "read_graph")).toMatchObject({ structuredContent: { entities, relations: [] } });
  });
});
