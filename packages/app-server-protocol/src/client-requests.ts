import * as z from "zod";
import { configRequests } from "./config-requests.ts";
import { fileRequests } from "./file-requests.ts";
import { historyRequests } from "./history-requests.ts";
import { listingRequests } from "./listing-requests.ts";
import { askedPolicy, openedThread, profileId, sandboxMode, sandboxPolicy, thread, turn } from "./thread.ts";
import { rateLimits } from "./rate-limits.ts";
import { threadStateRequests, turnSettings } from "./thread-state-requests.ts";
import { userInput } from "./thread-item.ts";

const nothing = z.object({});
const path = z.string().min(1);
const jsonObject = z.record(z.string(), z.unknown());
const page = { cursor: z.string().nullish(), limit: z.int().min(1).nullish() };
const ofThread = { threadId: z.string().min(1) };
/** The client's own id of a message; the message's item has it as `clientId`, while the turn runs. */
const ofMessage = { clientUserMessageId: z.string().nullish() };
/** `path`: the file of a saved thread; the id is not read then. Empty: absent. */
const ofThreadOrPath = { threadId: z.string(), path: z.string().nullish() };
/** A list that must be empty. `why`: for the client. */
const none = (why: string): z.ZodType<unknown[]> =>
  z.array(z.unknown()).refine((list) => list.length === 0, { error: why });

const settings = {
  model: z.string().nullish(),
  modelProvider: z.string().nullish(),
  cwd: path.nullish(),
  approvalPolicy: askedPolicy,
  sandbox: sandboxMode.nullish(),
  permissions: profileId,
  /** Config keys, dotted or nested. */
  config: jsonObject.nullish(),
  baseInstructions: z.string().nullish(),
  developerInstructions: z.string().nullish(),
};

const model = z.object({
  id: z.string(),
  model: z.string(),
  displayName: z.string(),
  description: z.string(),
  hidden: z.boolean(),
  isDefault: z.boolean(),
  supportedReasoningEfforts: z.array(z.object({ reasoningEffort: z.string(), description: z.string() })),
  defaultReasoningEffort: z.string(),
  inputModalities: z.array(z.enum(["text", "image"])),
});

const account = z.union([
  z.object({ type: z.literal("apiKey") }),
  z.object({ type: z.literal("chatgpt"), email: z.string().nullable(), planType: z.string() }),
]);

const skill = z.object({
  name: z.string(),
  description: z.string(),
  path: z.string(),
  scope: z.string(),
  enabled: z.boolean(),
});

const mcpServer = z.object({
  name: z.string(),
  runtimeStatus: z.enum(["notStarted", "disabled", "starting", "connected", "failed"]),
  toolsError: z.string().nullable(),
  tools: z.record(
    z.string(),
    z.object({ name: z.string(), description: z.string().nullable(), inputSchema: z.unknown() }),
  ),
  resources: z.array(z.unknown()),
  resourceTemplates: z.array(z.unknown()),
  authStatus: z.literal("unsupported"),
});

const ofResource = { uri: z.string(), mimeType: z.string().exactOptional() };
const resource = z.union([
  z.object({ ...ofResource, text: z.string() }),
  z.object({ ...ofResource, blob: z.string() }),
]);

const foundFile = z.object({
  root: z.string(),
  path: z.string(),
  match_type: z.enum(["file", "directory"]),
  file_name: z.string(),
  score: z.int(),
  indices: z.array(z.int()).nullable(),
});

const login = z.discriminatedUnion("type", [
  z.object({ type: z.literal("apiKey"), apiKey: z.string().min(1) }),
  z.object({ type: z.literal("chatgpt") }),
  z.object({ type: z.literal("chatgptDeviceCode") }),
]);

const startedLogin = z.discriminatedUnion("type", [
  z.object({ type: z.literal("apiKey") }),
  z.object({ type: z.literal("chatgpt"), loginId: z.string(), authUrl: z.string() }),
  z.object({
    type: z.literal("chatgptDeviceCode"),
    loginId: z.string(),
    verificationUrl: z.string(),
    userCode: z.string(),
  }),
]);

const reviewTarget = z.discriminatedUnion("type", [
  z.object({ type: z.literal("uncommittedChanges") }),
  z.object({ type: z.literal("baseBranch"), branch: z.string().min(1) }),
  z.object({ type: z.literal("commit"), sha: z.string().min(1), title: z.string().nullish() }),
  z.object({ type: z.literal("custom"), instructions: z.string().min(1) }),
]);

const sourceKind = z.enum(
  "cli vscode exec appServer subAgent subAgentReview subAgentCompact subAgentThreadSpawn subAgentOther unknown".split(
    " ",
  ),
);

/** Which threads are listed, and in which order. */
const threadFilters = {
  archived: z.boolean().nullish(),
  cwd: z.union([z.string(), z.array(z.string())]).nullish(),
  /** Absent: `updated_at`. */
  sortKey: z.enum(["created_at", "updated_at", "recency_at", "section_position"]).nullish(),
  sortDirection: z.enum(["asc", "desc"]).nullish(),
  /** Empty: any. */
  modelProviders: z.array(z.string()).nullish(),
  /** Absent or empty: the programs in which you talk to a model, `cli` and `vscode`. */
  sourceKinds: z.array(sourceKind).nullish(),
  /** In the name or the title, in upper or lower case. */
  searchTerm: z.string().nullish(),
  excludedThreadIds: z.array(z.string()).max(100).nullish(),
  includedThreadIds: z.array(z.string()).max(100).nullish(),
  /** Only the sub-agents that this thread started, from any program unless `sourceKinds` says more. */
  parentThreadId: z.string().nullish(),
  /** There are no such relations here, and no sections and projects: any of these lists none. */
  ancestorThreadId: z.string().nullish(),
  attachedToThreadId: z.string().nullish(),
  sectionId: z.string().nullish(),
  projectId: z.string().nullish(),
  originators: none("only a hosted server knows the originators of threads").nullish(),
};

/** Requests of clients, by method. Members that are not named here are ignored, unless their names say that they limit the model. */
export const clientRequests = {
  initialize: {
    params: z.object({
      clientInfo: z.object({ name: z.string().min(1), title: z.string().nullish(), version: z.string() }),
      capabilities: z.object({ optOutNotificationMethods: z.array(z.string()).nullish() }).nullish(),
    }),
    result: z.object({
      userAgent: z.string(),
      codexHome: z.string(),
      platformFamily: z.string(),
      platformOs: z.string(),
    }),
  },
  "thread/start": {
    params: z.object({
      ...settings,
      ephemeral: z.boolean().nullish(),
      dynamicTools: none(
        "a client's own tools are not called; offer them by an MCP server (config.mcp_servers)",
      ).nullish(),
    }),
    result: openedThread,
  },
  "thread/resume": {
    params: z.object({ ...ofThreadOrPath, ...settings, excludeTurns: z.boolean().nullish() }),
    result: openedThread,
  },
  "thread/fork": {
    params: z.object({
      ...ofThreadOrPath,
      ...settings,
      lastTurnId: z.string().nullish(),
      ephemeral: z.boolean().nullish(),
      excludeTurns: z.boolean().nullish(),
    }),
    result: openedThread,
  },
  "thread/read": {
    params: z.object({ ...ofThread, includeTurns: z.boolean().nullish() }),
    result: z.object({ thread }),
  },
  "thread/list": {
    params: z.object({
      ...page,
      ...threadFilters,
    }),
    result: z.object({ data: z.array(thread), nextCursor: z.string().nullable(), backwardsCursor: z.null() }),
  },
  "thread/loaded/list": {
    params: z.object(page).nullish(),
    result: z.object({ data: z.array(z.string()), nextCursor: z.null() }),
  },
  "thread/name/set": { params: z.object({ ...ofThread, name: z.string() }), result: nothing },
  "thread/archive": { params: z.object(ofThread), result: nothing },
  "thread/unarchive": { params: z.object(ofThread), result: z.object({ thread }) },
  "thread/delete": { params: z.object(ofThread), result: nothing },
  "thread/unsubscribe": {
    params: z.object(ofThread),
    result: z.object({ status: z.enum(["unsubscribed", "notSubscribed"]) }),
  },
  "thread/rollback": {
    params: z.object({ ...ofThread, numTurns: z.int().min(1) }),
    result: z.object({ thread }),
  },
  ...historyRequests,
  ...threadStateRequests,
  "thread/compact/start": { params: z.object(ofThread), result: nothing },
  "turn/start": {
    params: z.object({
      ...ofThread,
      input: z.array(userInput).min(1),
      ...ofMessage,
      ...turnSettings,
      outputSchema: jsonObject.nullish(),
    }),
    result: z.object({ turn }),
  },
  "turn/steer": {
    params: z.object({ ...ofThread, expectedTurnId: z.string(), input: z.array(userInput).min(1), ...ofMessage }),
    result: z.object({ turnId: z.string() }),
  },
  "turn/interrupt": { params: z.object({ ...ofThread, turnId: z.string() }), result: nothing },
  "review/start": {
    params: z.object({
      ...ofThread,
      target: reviewTarget,
      /** In the thread itself, or in a new one. */
      delivery: z.enum(["inline", "detached"]).nullish(),
    }),
    result: z.object({ turn, reviewThreadId: z.string() }),
  },
  "model/list": {
    params: z.object({ ...page, includeHidden: z.boolean().nullish() }).nullish(),
    result: z.object({ data: z.array(model), nextCursor: z.null() }),
  },
  "permissionProfile/list": {
    params: z.object({ ...page, cwd: path.nullish() }).nullish(),
    result: z.object({
      data: z.array(z.object({ id: z.string(), description: z.string().nullable(), allowed: z.boolean() })),
      nextCursor: z.null(),
    }),
  },
  "config/read": {
    // a layer would show the text of a config file, with what it keeps secret
    params: z.object({ cwd: path.nullish(), includeLayers: z.boolean().optional() }).nullish(),
    result: z.object({ config: jsonObject, origins: jsonObject, layers: z.null() }),
  },
  ...configRequests,
  ...listingRequests,
  ...fileRequests,
  "skills/list": {
    params: z.object({ cwds: z.array(path).nullish() }).nullish(),
    result: z.object({
      data: z.array(
        z.object({
          cwd: z.string(),
          skills: z.array(skill),
          errors: z.array(z.object({ path: z.string(), message: z.string() })),
        }),
      ),
    }),
  },
  "mcpServerStatus/list": {
    params: z.object({ ...page, threadId: z.string().nullish() }).nullish(),
    result: z.object({ data: z.array(mcpServer), nextCursor: z.null() }),
  },
  "mcpServer/tool/call": {
    params: z.object({
      ...ofThread,
      server: z.string().min(1),
      tool: z.string().min(1),
      arguments: jsonObject.nullish(),
    }),
    result: z.object({ content: z.array(z.unknown()), structuredContent: z.unknown(), isError: z.boolean() }),
  },
  "mcpServer/resource/read": {
    params: z.object({
      /** Absent: the thread that was opened last. */
      threadId: z.string().nullish(),
      server: z.string().min(1),
      uri: z.string().min(1),
    }),
    result: z.object({ contents: z.array(resource) }),
  },
  /** Open threads keep their servers. */
  "config/mcpServer/reload": { params: nothing.nullish(), result: nothing },
  "mcpServer/oauth/login": {
    params: z.object({ name: z.string().min(1) }),
    result: z.object({ authorizationUrl: z.string() }),
  },
  "account/read": {
    params: z.object({ refreshToken: z.boolean().nullish() }).nullish(),
    result: z.object({ account: account.nullable(), requiresOpenaiAuth: z.boolean() }),
  },
  "account/rateLimits/read": { params: nothing.nullish(), result: z.object({ rateLimits }) },
  "account/login/start": { params: login, result: startedLogin },
  "account/login/cancel": {
    params: z.object({ loginId: z.string() }),
    result: z.object({ status: z.enum(["canceled", "notFound"]) }),
  },
  "account/logout": { params: nothing.nullish(), result: nothing },
  fuzzyFileSearch: {
    params: z.object({ query: z.string(), roots: z.array(path), cancellationToken: z.string().nullish() }),
    result: z.object({ files: z.array(foundFile) }),
  },
  "command/exec": {
    params: z.object({
      command: z.array(z.string()).min(1),
      cwd: path.nullish(),
      timeoutMs: z.int().min(1).nullish(),
      sandboxPolicy: sandboxPolicy.nullish(),
      permissionProfile: profileId,
    }),
    result: z.object({ exitCode: z.number(), stdout: z.string(), stderr: z.string() }),
  },
} as const;

/** The name of a request of a client. */
export type ClientMethod = keyof typeof clientRequests;
/** The checked parameters of a client's request. */
export type ClientParams<Method extends ClientMethod> = z.infer<(typeof clientRequests)[Method]["params"]>;
/** The result of a client's request. */
export type ClientResult<Method extends ClientMethod> = z.infer<(typeof clientRequests)[Method]["result"]>;
