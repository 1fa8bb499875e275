import { createHost, loadProgramConfig } from "@unroll/program";
import { openModelHome } from "@unroll/program/fixture/model-home";
import { createTestIo } from "@unroll/program/fixture/test-io";
import { listOfferedModels, loadOtherModel, readKnownModels, refreshModels } from "@unroll/use-cases/models";
import { expect, test } from "vitest";

const { signal } = new AbortController();
const named =
  '[models."mine"]\nfamily = "gpt-5"\n[models."theirs"]\nprovider = "other"\n[models."next"]\nprovider = "test"\n';

async function openPlace(config: string) {
  const home = await openModelHome({ script: { turns: [] } }, config);
  const env = { PATH: process.env["PATH"], HOME: home.home };
  const host = createHost(createTestIo({ env, cwd: home.work, homeDirectory: home.home }));
  return { ...home, host, config: await loadProgramConfig({}, host) };
}

test("users choose from the model of the config, then the provider's, then those that they named", async () => {
  await using place = await openPlace(named);
  const offered = listOfferedModels(place.config).map(({ name, isChosen }) => (isChosen ? `*${name}` : name));
  expect(offered).toEqual(["*gpt-5", "mine", "next"]);
  const known = await readKnownModels(place.config, { isOfProvider: true });
  expect([known.inUse, known.models.some(({ name }) => name === "theirs")]).toEqual(["gpt-5", false]);
});

test("a provider's list is kept, and known from then on", async () => {
  await using place = await openPlace("");
  const refreshed = await refreshModels(place.config, { host: place.host, userAgent: "test", signal });
  expect(refreshed).toEqual({ type: "kept", count: expect.any(Number) });
  const known = await readKnownModels(place.config, { isOfProvider: true });
  const listed = known.models.filter(({ origins }) => origins.includes("provider"));
  expect(refreshed).toMatchObject({ count: listed.length });
  expect(listed.length).toBeGreaterThan(0);
  const aborted = AbortSignal.abort();
  expect(await refreshModels(place.config, { host: place.host, userAgent: "test", signal: aborted })).toMatchObject({
    type: "aborted",
  });
});

test("another model comes with its own family and limits, and all else stays as it runs now", async () => {
  await using place = await openPlace(named);
  const now = { ...place.config, approvalPolicy: "never" } as const;
  const other = await loadOtherModel({ model: "gpt-5.1", provider: "test" }, { flags: {}, host: place.host, now });
  expect(other).toMatchObject({ model: "gpt-5.1", approvalPolicy: "never", provider: { id: "test" } });
  expect(other.modelFamily.efforts).not.toEqual(now.modelFamily.efforts);
  const elsewhere = { flags: { oss: true }, host: place.host, now } as const;
  const openai = await loadOtherModel({ model: "gpt-5.1", provider: "openai" }, elsewhere);
  expect(openai).toMatchObject({ model: "gpt-5.1", approvalPolicy: "never", provider: { id: "openai" } });
});
