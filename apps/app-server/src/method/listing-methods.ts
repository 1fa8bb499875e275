import type { ClientResult } from "@unroll/app-server-protocol";
import type { ProviderConfig } from "@unroll/config";
import type { MethodTable } from "./method.ts";

/** The methods of this file. */
export type ListingMethod =
  | "collaborationMode/list"
  | "modelProvider/list"
  | "modelProvider/capabilities/read"
  | "experimentalFeature/list"
  | "hooks/list"
  | "plugin/list"
  | "plugin/installed"
  | "app/list"
  | "app/installed"
  | "project/list"
  | "configRequirements/read";

const noPage = { data: [], nextCursor: null };
const usual = { model: null, reasoning_effort: null };

export const listingMethods: MethodTable<ListingMethod> = {
  "collaborationMode/list": async () => ({
    result: {
      data: [
        { name: "Plan", mode: "plan", ...usual },
        { name: "Default", mode: "default", ...usual },
      ],
    },
  }),

  async "modelProvider/list"(_, { threadHost }) {
    const { provider } = await threadHost.loadConfig(null);
    const { id, name, baseUrl } = provider;
    const shown = { id, name, baseUrl, canEdit: false as const, settings: toSettings(provider) };
    return { result: { data: [shown], defaultProviderId: id, canChangeDefault: false } };
  },

  async "modelProvider/capabilities/read"(_, { threadHost }) {
    const { provider } = await threadHost.loadConfig(null);
    return { result: { imageGeneration: false, webSearch: provider.takes.webSearch } };
  },

  "experimentalFeature/list": async () => ({ result: noPage }),

  async "hooks/list"(params, { io }) {
    const folders = params?.cwds?.length ? params.cwds : [io.cwd];
    return { result: { data: folders.map((cwd) => ({ cwd, hooks: [], warnings: [], errors: [] })) } };
  },

  "plugin/list": async () => ({ result: { marketplaces: [], marketplaceLoadErrors: [], featuredPluginIds: [] } }),
  "plugin/installed": async () => ({ result: { marketplaces: [], marketplaceLoadErrors: [] } }),
  "app/list": async () => ({ result: noPage }),
  "app/installed": async () => ({ result: { apps: [] } }),
  "project/list": async () => ({ result: noPage }),

  "configRequirements/read": async () => ({ result: { supportsIndependentSpeedModes: null, requirements: null } }),
};

type Settings = ClientResult<"modelProvider/list">["data"][number]["settings"];

function toSettings({ id, envKeys, bearerToken, authCommand }: ProviderConfig): Settings {
  if (id === "openai") return { type: "openai" };
  const [envKey] = envKeys;
  if (bearerToken !== null || authCommand !== null)
    return { type: "customGateway", auth: { mode: "externallyConfigured", envKey: null } };
  const auth = envKey === undefined ? { mode: "none" as const } : { mode: "environmentVariable" as const, envKey };
  return { type: "customGateway", auth };
}
