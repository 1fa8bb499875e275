import { createHost, loadProgramConfig } from "@unroll/program";
import { openModelHome } from "@unroll/program/fixture/model-home";
import { createTestIo } from "@unroll/program/fixture/test-io";
import { logIn, logOut, readCredential, readLogin } from "@unroll/use-cases/login";
import { expect, test } from "vitest";

const { signal } = new AbortController();
const byKey = (key: string | null) => ({ type: "key", readKey: async () => key }) as const;

async function openPlace(config: readonly string[] = []) {
  const home = await openModelHome({ script: { turns: [] } });
  const env = { PATH: process.env["PATH"], HOME: home.home };
  const host = createHost(createTestIo({ env, cwd: home.work, homeDirectory: home.home }));
  const flags = { config: ["model_provider=openai", ...config] };
  const load = (more: readonly string[] = []) => loadProgramConfig({ config: [...flags.config, ...more] }, host);
  return { ...home, host, load, config: await load(), signal };
}

test("a key is kept until the logout, and a user who leaves changes nothing", async () => {
  await using place = await openPlace();
  expect(await readLogin(place.config, place.host)).toEqual({ status: null, fault: null });
  expect(await logIn(place, byKey(null))).toEqual({ type: "cancelled" });
  expect(await readLogin(place.config, place.host)).toEqual({ status: null, fault: null });
  expect(await logIn(place, byKey("sk-of-ann"))).toMatchObject({ type: "logged_in" });
  expect(await readCredential(place.config, place.host)).toMatchObject({
    credential: { type: "missing" },
    status: { type: "key" },
    fault: null,
  });
  expect(await logOut(place)).toMatchObject({ type: "logged_out" });
  expect(await logOut(place)).toMatchObject({ type: "not_logged_in" });
});

test("the config forbids a way before anybody is asked, and says why a login of that way is not used", async () => {
  await using place = await openPlace();
  await logIn(place, byKey("sk-of-ann"));
  const config = await place.load(["forced_login_method=chatgpt"]);
  const asked = { type: "key", readKey: () => Promise.reject(new Error("It asked.")) } as const;
  expect(await logIn({ ...place, config }, asked)).toEqual({ type: "forbidden", allowed: "chatgpt" });
  expect((await readLogin(config, place.host)).fault).toContain('forced_login_method is "chatgpt"');
});

test("a key of the environment goes before a login, which is not read then", async () => {
  await using place = await openPlace();
  const host = { ...place.host, env: { ...place.host.env, OPENAI_API_KEY: "sk-1" } };
  await logIn(place, byKey("sk-of-ann"));
  expect(await readCredential(place.config, host)).toEqual({
    credential: { type: "bearer", token: "sk-1", envName: "OPENAI_API_KEY" },
    status: null,
    fault: null,
  });
});
