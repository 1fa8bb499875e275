import * as z from "zod";

const nothing = z.object({});
const none = z.array(z.never());
const ofFolders = z.object({ cwds: z.array(z.string().min(1)).nullish(), threadId: z.string().nullish() }).nullish();
const page = z.object({ cursor: z.string().nullish(), limit: z.int().min(1).nullish() }).nullish();

const providerSettings = z.discriminatedUnion("type", [
  z.object({ type: z.literal("openai") }),
  z.object({
    type: z.literal("customGateway"),
    auth: z.discriminatedUnion("mode", [
      z.object({ mode: z.literal("none") }),
      z.object({ mode: z.literal("environmentVariable"), envKey: z.string() }),
      z.object({ mode: z.literal("externallyConfigured"), envKey: z.null() }),
    ]),
  }),
]);

/** Requests for lists, most of which are empty here, by method. */
export const listingRequests = {
  "collaborationMode/list": {
    params: nothing.nullish(),
    result: z.object({
      data: z.array(
        z.object({
          name: z.string(),
          mode: z.enum(["default", "plan"]),
          model: z.null(),
          reasoning_effort: z.null(),
        }),
      ),
    }),
  },
  "modelProvider/list": {
    params: nothing.nullish(),
    result: z.object({
      data: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          canEdit: z.literal(false),
          baseUrl: z.string().nullable(),
          settings: providerSettings,
        }),
      ),
      defaultProviderId: z.string(),
      canChangeDefault: z.literal(false),
    }),
  },
  "modelProvider/capabilities/read": {
    params: nothing.nullish(),
    result: z.object({ imageGeneration: z.literal(false), webSearch: z.boolean() }),
  },
  "experimentalFeature/list": { params: page, result: z.object({ data: none, nextCursor: z.null() }) },
  "hooks/list": {
    params: ofFolders,
    result: z.object({ data: z.array(z.object({ cwd: z.string(), hooks: none, warnings: none, errors: none })) }),
  },
  "plugin/list": {
    params: ofFolders,
    result: z.object({ marketplaces: none, marketplaceLoadErrors: none, featuredPluginIds: none }),
  },
  "plugin/installed": {
    params: ofFolders,
    result: z.object({ marketplaces: none, marketplaceLoadErrors: none }),
  },
  "app/list": { params: page, result: z.object({ data: none, nextCursor: z.null() }) },
  "app/installed": { params: nothing.nullish(), result: z.object({ apps: none }) },
  "project/list": { params: page, result: z.object({ data: none, nextCursor: z.null() }) },
  "configRequirements/read": {
    params: nothing.nullish(),
    result: z.object({ supportsIndependentSpeedModes: z.null(), requirements: z.null() }),
  },
} as const;
