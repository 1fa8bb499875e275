import { listPermissionProfiles } from "@unroll/config";
import { listOfferedModels } from "@unroll/use-cases/models";
import type { ConfigWriteMethod } from "./config-write-methods.ts";
import type { MethodsOf, MethodTable } from "./method.ts";

/** The built-in permission profiles, for people. */
const descriptions: Readonly<Record<string, string>> = {
  ":read-only": "Commands read, and change nothing.",
  ":workspace": "Commands write in the working folder.",
  ":danger-full-access": "Commands are not confined.",
};

type ConfigMethod = Exclude<
  MethodsOf<"config" | "model" | "permissionProfile" | "skills">,
  ConfigWriteMethod | "config/mcpServer/reload"
>;

export const configMethods: MethodTable<ConfigMethod> = {
  async "model/list"(params, { threadHost }) {
    const config = await threadHost.loadConfig(null);
    const offered = listOfferedModels(config).filter((each) => {
      return each.isChosen || !each.isHidden || params?.includeHidden === true;
    });
    const data = offered.map(({ name, isChosen, isHidden, efforts, effort, takesImages }) => ({
      id: name,
      model: name,
      displayName: name,
      description: `by ${config.provider.name}`,
      hidden: isHidden && !isChosen, // a picker leaves hidden ones out
      isDefault: isChosen,
      supportedReasoningEfforts: efforts.map((each) => ({ reasoningEffort: each, description: "" })),
      defaultReasoningEffort: effort,
      inputModalities: takesImages ? ["text" as const, "image" as const] : ["text" as const],
    }));
    return { result: { data, nextCursor: null } };
  },

  async "permissionProfile/list"(params, { threadHost }) {
    const profiles = listPermissionProfiles(await threadHost.loadConfig(params?.cwd ?? null));
    const data = profiles.map(({ name: id, description, fault }) => {
      return { id, description: description ?? descriptions[id] ?? null, allowed: fault === null };
    });
    return { result: { data, nextCursor: null } };
  },

  async "config/read"(params, { threadHost }) {
    const config = await threadHost.loadConfig(params?.cwd ?? null);
    const shown = {
      model: config.model,
      model_provider: config.provider.id,
      model_reasoning_effort: config.reasoningEffort,
      model_reasoning_summary: config.reasoningSummary,
      approval_policy: config.approvalPolicy,
      sandbox_mode: config.sandboxSettings.mode,
      web_search: config.webSearchMode,
      profile: config.profile,
      projects: config.projects,
    };
    return { result: { config: shown, origins: {}, layers: null } };
  },

  async "skills/list"(params, { threadHost, io }) {
    const { readSkills } = await import("@unroll/use-cases/skills");
    const ofFolders = (params?.cwds?.length ? params.cwds : [io.cwd]).map(async (cwd) => {
      const { skills, faults } = await readSkills(await threadHost.loadConfig(cwd), threadHost.host);
      const shown = skills.map(({ skill: { name, description, path }, isEnabled }) => {
        return { name, description, path, scope: "user", enabled: isEnabled };
      });
      return { cwd, skills: shown, errors: faults.map(({ path, problem }) => ({ path, message: problem })) };
    });
    return { result: { data: await Promise.all(ofFolders) } };
  },
};
