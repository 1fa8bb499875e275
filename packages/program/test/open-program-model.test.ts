import { expect, test } from "vitest";
import { createHostEnvironment, loadProgramConfig, openProgramModel, toUserAgent } from "@unroll/program";
import { createFakeIo } from "./fake-io.ts";

const codexHome = { CODEX_HOME: "/nonexistent/codex" };
const open = (env: Readonly<Record<string, string>>, config: readonly string[] = []) =>
  openProgramModel({ config }, createHostEnvironment(createFakeIo({ env: { ...codexHome, ...env } })));

test("the demo model stands in where nothing says that a key was meant, and says so", async () => {
  await using model = await open({});
  expect(model.config).toMatchObject({ model: "unroll-demo" });
  expect(model.notices).toEqual([expect.stringContaining("the built-in demo model answers")]);
});

test("a key, an empty variable for one, or a chosen model or provider keeps the demo model away", async () => {
  const chosen = [
    open({ OPENAI_API_KEY: "sk" }),
    open({ OPENAI_API_KEY: "" }),
    open({ OPENAI_BASE_URL: "http://localhost/v1" }),
    open({}, ['model="gpt-5"']),
  ];
  for (const opening of chosen) {
    await using model = await opening;
    expect(model.notices).toEqual([]);
  }
});

test("flags stand over -c, which stand over files", async () => {
  const host = createHostEnvironment(createFakeIo());
  const config = await loadProgramConfig({ config: ["model=one", "model_verbosity=low"], model: "two" }, host);
  expect(config.model).toBe("two");
  await expect(loadProgramConfig({ config: ["model"] }, host)).rejects.toThrow("-c model: key=value is expected");
});

test("each program presents itself under its own name", () => {
  expect(toUserAgent("unroll_chat", { platform: "linux" })).toBe("unroll_chat (linux)");
});
