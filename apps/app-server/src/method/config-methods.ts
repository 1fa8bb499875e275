import { setConfigKey } from "@unroll/config";
import { join } from "node:path";
import { listOfferedModels, toConfigFlags } from "@unroll/front-end";
import { RequestFault } from "@unroll/line-server";
import { defineMethod, type Method } from "./method.ts";

/** Levels that models of every family take. */
const commonEfforts = ["minimal", "low", "medium", "high"];

export const listModels: Method = defineMethod("model/list", async (params, { frontEnd }) => {
  const config = await frontEnd.loadConfig(null);
  const { model, provider, reasoningEffort } = config;
  const offered = listOfferedModels(config).filter(({ name, isHidden }) => {
    return name === model || !isHidden || params?.includeHidden === true;
  });
  const data = offered.map(({ name, family, defaultEffort, isHidden }) => ({
    id: name,
    model: name,
    displayName: name,
    description: `by ${provider.name}`,
    hidden: isHidden,
    isDefault: name === model,
    supportedReasoningEfforts: (family.supportsReasoning ? (family.efforts ?? commonEfforts) : []).map((effort) => ({
      reasoningEffort: effort,
      description: "",
    })),
    defaultReasoningEffort: (name === model ? reasoningEffort : null) ?? defaultEffort ?? "medium",
    inputModalities:
      family.supportsImages && provider.supportsImages ? ["text" as const, "image" as const] : ["text" as const],
  }));
  return { result: { data, nextCursor: null } };
});

const profiles = [
  { id: ":read-only", description: "Commands read, and change nothing.", allowed: true },
  { id: ":workspace", description: "Commands write in the working folder.", allowed: true },
  { id: ":danger-full-access", description: "Commands are not confined.", allowed: true },
];

export const listPermissionProfiles: Method = defineMethod("permissionProfile/list", async () => ({
  result: { data: profiles, nextCursor: null },
}));

export const readConfig: Method = defineMethod("config/read", async (params, { frontEnd }) => {
  const config = await frontEnd.loadConfig(params?.cwd ?? null);
  const shown = {
    model: config.model,
    model_provider: config.provider.id,
    model_reasoning_effort: config.reasoningEffort,
    model_reasoning_summary: config.reasoningSummary,
    approval_policy: config.approvalPolicy,
    sandbox_mode: config.sandboxSettings.mode,
    web_search: config.webSearchMode,
    profile: config.profile,
  };
  return { result: { config: shown, origins: {}, layers: null } };
});

export const writeConfigValue: Method = defineMethod("config/value/write", async ({ keyPath, value }, { frontEnd }) => {
  const file = join((await frontEnd.loadConfig(null)).codexHome, "config.toml");
  const settings = toConfigFlags(keyPath, value);
  if (settings.length === 0) throw new RequestFault("invalidParams", "value: a value is expected, and null is none.");
  for (const setting of settings) {
    const at = setting.indexOf("=");
    await setConfigKey(file, setting.slice(0, at), setting.slice(at + 1));
  }
  return { result: { status: "ok", version: "", filePath: file, overriddenMetadata: null } };
});

export const listSkills: Method = defineMethod("skills/list", async (params, { frontEnd, io }) => {
  const { surveyConfigSkills } = await import("@unroll/harness");
  const cwds = params?.cwds?.length ? params.cwds : [io.cwd];
  const data = await Promise.all(
    cwds.map(async (cwd) => {
      const { skills, faults } = await surveyConfigSkills(await frontEnd.loadConfig(cwd), frontEnd.host);
      return {
        cwd,
        skills: skills.map(({ skill: { name, description, path }, isEnabled }) => ({
          name,
          description,
          path,
          scope: "user",
          enabled: isEnabled,
        })),
        errors: faults.map(({ path, problem }) => ({ path, message: problem })),
      };
    }),
  );
  return { result: { data } };
});
