import { link, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { methods, type PromptResponse } from "@agentclientprotocol/sdk/unstable";
import { expect, test } from "vitest";
import { type AcpWorld, type Editor, openAcpWorld, textOf } from "./acp-world.ts";

const say = (text: string): { readonly items: readonly [{ readonly text: string }] } => ({ items: [{ text }] });
const patch = (
  from: string,
  to: string,
): { readonly items: readonly [{ readonly custom: string; readonly input: string }] } => ({
  items: [
    { custom: "apply_patch", input: `*** Begin Patch\n*** Update File: a.txt\n-${from}\n+${to}\n*** End Patch\n` },
  ],
});
const offered = {
  sandbox: "danger-full-access",
  askForApproval: "never",
  capabilities: { fs: { readTextFile: true } },
} as const;

function sendLinks(editor: Editor, sessionId: string, paths: readonly string[]): Promise<PromptResponse> {
  const prompt = paths.map((path) => {
    return { type: "resource_link" as const, name: basename(path), uri: pathToFileURL(path).href };
  });
  return editor.agent.request(methods.agent.session.prompt, { sessionId, prompt });
}

interface Said {
  readonly text: string;
}

/** The parts of the user's message before a request. */
function saidIn({ model }: AcpWorld, at: number): readonly string[] {
  const body = model.requests[at]?.body as
    | { readonly input: readonly { readonly content: readonly Said[] }[] }
    | undefined;
  return (body?.input.at(-1)?.content ?? []).map(({ text }) => text);
}

test("a file that a prompt links to is given as the editor has it, where that is not saved", async () => {
  await using world = await openAcpWorld({ script: { turns: [say("Hello.")] } });
  const [changed, saved, fresh, kept, long, binary] = ["a.txt", "b.txt", "c.txt", "d.txt", "e.txt", "f.bin"].map(
    (name) => join(world.work, name),
  ) as [string, string, string, string, string, string];
  for (const path of [changed, saved, kept, long]) await writeFile(path, "one\r\ntwo\r\n");
  await writeFile(binary, Buffer.of(0xff, 0xe9));
  const texts = new Map([
    [changed, "one\nthree\n"],
    [saved, "one\ntwo"],
    [fresh, "new"],
    [long, "x".repeat(200_000)],
    [binary, "ÿé"],
  ]);
  const editor = await world.open({ ...offered, read: (path) => texts.get(path) ?? null });
  await sendLinks(editor, (await editor.begin()).sessionId, [changed, saved, fresh, kept, long, binary]);
  const unsaved = (path: string, shown: string): string =>
    `<unsaved_changes>\nThe editor has changes to ${path} that are not saved. ${shown}\n</unsaved_changes>`;
  expect(saidIn(world, 0)).toEqual([
    `[@a.txt](${changed})`,
    `[@b.txt](${saved})`,
    `[@c.txt](${fresh})`,
    `[@d.txt](${kept})`,
    `[@e.txt](${long})`,
    `[@f.bin](${binary})`,
    unsaved(changed, `Its text:\n<context path="${changed}">\none\nthree\n</context>`),
    unsaved(fresh, `Its text:\n<context path="${fresh}">\nnew\n</context>`),
    unsaved(long, "It is too long to be shown."),
  ]);
});

test("unsaved contents are not shown as the user's message, neither in the title nor when the session is loaded", async () => {
  await using world = await openAcpWorld({ script: { turns: [say("Hello.")] } });
  const path = join(world.work, "a.txt");
  const editor = await world.open({ ...offered, read: () => "new\n" });
  const { sessionId } = await editor.begin();
  await sendLinks(editor, sessionId, [path]);
  expect(saidIn(world, 0)).toHaveLength(2);
  await editor.leave();
  const later = await world.open();
  const { sessions } = await later.agent.request(methods.agent.session.list, {});
  await later.agent.request(methods.agent.session.load, { sessionId, cwd: world.work, mcpServers: [] });
  const link = `[@a.txt](${path})`;
  expect([sessions[0]?.title, textOf(later.updates, "user_message_chunk")]).toEqual([link, link]);
});

test("an editor that offers no files is not asked, and one that does not answer is waited for a while, or until the person cancels", async () => {
  await using world = await openAcpWorld({ script: { turns: [say("Hello."), say("More.")] } });
  const path = join(world.work, "a.txt");
  await writeFile(path, "one\n");
  const modest = await world.open({ read: () => "two\n" });
  const first = await modest.begin();
  expect(await sendLinks(modest, first.sessionId, [path])).toEqual({ stopReason: "end_turn" });
  const asked = Promise.withResolvers<void>();
  const read = (): Promise<string> => {
    asked.resolve();
    return new Promise(() => {});
  };
  const slow = await world.open({ ...offered, read: () => new Promise(() => {}), sleep: async () => {} });
  const second = await slow.begin();
  expect(await sendLinks(slow, second.sessionId, [path])).toEqual({ stopReason: "end_turn" });
  expect([saidIn(world, 0), saidIn(world, 1)]).toEqual([[`[@a.txt](${path})`], [`[@a.txt](${path})`]]);
  const left = await world.open({ ...offered, read });
  const { sessionId } = await left.begin();
  const running = sendLinks(left, sessionId, [path]);
  await asked.promise;
  await left.agent.notify(methods.agent.session.cancel, { sessionId });
  expect(await running).toEqual({ stopReason: "cancelled" });
});

test("a patch of a file with unsaved changes is refused once, and one of a file that the editor has as it was is not", async () => {
  const turns = [
    patch("one", "two"),
    patch("two", "three"),
    patch("three", "four"),
    patch("three", "four"),
    say("Done."),
  ];
  await using world = await openAcpWorld({ script: { turns } });
  const path = join(world.work, "a.txt");
  await writeFile(path, "one\n");
  // it does not look at the disk again, and its person begins to type when the second patch was made
  const shown = ["one\n", "one\n", "typed\n", "typed\n"];
  const onDisk: string[] = [];
  const editor = await world.open({
    ...offered,
    async read() {
      onDisk.push(await readFile(path, "utf8"));
      return shown.shift() ?? null;
    },
  });
  const { sessionId } = await editor.begin();
  expect(await editor.prompt(sessionId, "Go")).toEqual({ stopReason: "end_turn" });
  expect([...onDisk, await readFile(path, "utf8")]).toEqual(["one\n", "two\n", "three\n", "three\n", "four\n"]);
  expect(JSON.stringify(world.model.requests[3]?.body)).toContain(`there are unsaved changes to ${path}`);
  const ends = editor.updates.flatMap((update) => (update.sessionUpdate === "tool_call_update" ? [update.status] : []));
  expect(ends).toEqual(["completed", "completed", "failed", "completed"]);
});

test("an editor is not asked about a file that a patch adds, but about one that it replaces", async () => {
  const add = (name: string): { readonly items: readonly [{ readonly custom: string; readonly input: string }] } => ({
    items: [{ custom: "apply_patch", input: `*** Begin Patch\n*** Add File: ${name}\n+new\n*** End Patch\n` }],
  });
  await using world = await openAcpWorld({ script: { turns: [add("fresh.txt"), add("there.txt"), say("Done.")] } });
  await writeFile(join(world.work, "there.txt"), "old\n");
  const asked: string[] = [];
  const read = (path: string): string => {
    asked.push(basename(path));
    return "old\n";
  };
  const editor = await world.open({ ...offered, read });
  const { sessionId } = await editor.begin();
  const prompt = [{ type: "text" as const, text: "Go" }];
  await editor.agent.request(methods.agent.session.prompt, { sessionId, prompt });
  expect(await readFile(join(world.work, "fresh.txt"), "utf8")).toBe("new\n");
  expect(asked).toEqual(["there.txt"]);
});

test("a file that leads to a login is refused: embedded, nothing is sent; linked, its unsaved changes are not", async () => {
  await using world = await openAcpWorld({ script: { turns: [say("Hello.")] } });
  const key = "sk-a-key-of-the-login";
  const [login, path] = [join(world.home, ".codex/auth.json"), join(world.work, "notes.txt")];
  await writeFile(login, key);
  await symlink(login, path);
  const editor = await world.open({ ...offered, read: () => `${key} and more` });
  const { sessionId } = await editor.begin();
  const uri = pathToFileURL(path).href;
  const embedded = [
    { type: "resource", resource: { uri, text: key } },
    { type: "resource", resource: { uri, blob: "AAAA", mimeType: "image/png" } },
    { type: "image", uri, data: "AAAA", mimeType: "image/png" },
  ] as const;
  for (const block of embedded) {
    const prompt = [{ type: "text", text: "Look:" } as const, block];
    const sent = editor.agent.request(methods.agent.session.prompt, { sessionId, prompt });
    await expect(sent).rejects.toThrow(`prompt[1]: ${path} leads to a file of unroll's own folder: nothing was sent.`);
  }
  expect(world.model.requests).toEqual([]);
  await sendLinks(editor, sessionId, [path]);
  expect(saidIn(world, 0)).toEqual([`[@notes.txt](${path})`]);
  expect(textOf(editor.updates, "agent_message_chunk")).toContain(
    `${path} leads to a file of unroll's own folder: its unsaved changes were not sent.`,
  );
});

test("a prompt file that is another name of the login does not become a command, and the editor gets a warning", async () => {
  await using world = await openAcpWorld({ script: { turns: [] } });
  const [login, prompts] = [join(world.home, ".codex/auth.json"), join(world.home, ".codex/prompts")];
  await mkdir(prompts);
  await writeFile(login, "sk-a-key-of-the-login");
  await link(login, join(prompts, "key.md"));
  const editor = await world.open(offered);
  await editor.begin();
  const { availableCommands } = await editor.find("available_commands_update");
  expect(availableCommands.map(({ name }) => name)).toEqual(["compact", "init"]);
  await editor.find("agent_message_chunk", ({ content }) => {
    return content.type === "text" && content.text.includes("key.md is another name of a hidden file");
  });
});
