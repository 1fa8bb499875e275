/** Missing methods of the Codex CLI's app-server, by the reason; `docs/app-server.md` lists them. */
const missing: Readonly<Record<string, string>> = {
  "It needs the Codex CLI's own services":
    "account/rateLimitResetCredit/consume account/usage/read account/workspaceMessages/read account/sendAddCreditsNudgeEmail " +
    "account/securitySetup/read accountSession/list accountSession/switch feedback/upload feedback/save plugin/share/save plugin/share/updateTargets " +
    "plugin/share/list plugin/share/checkout plugin/share/delete remoteControl/enable remoteControl/disable remoteControl/status/read " +
    "remoteControl/pairing/start remoteControl/pairing/status remoteControl/client/list remoteControl/client/revoke",
  "unroll has no goals, queues, attachments, sections, projects or memories":
    "thread/goal/set thread/queue/add thread/queue/list thread/queue/update thread/queue/delete thread/queue/reorder thread/queue/start " +
    "thread/attachment/add thread/attachment/list thread/attachmentOwner/list thread/attachment/remove thread/section/move threadSection/list " +
    "threadSection/create threadSection/update threadSection/delete project/read project/create project/import project/update project/move " +
    "project/delete thread/memoryMode/set thread/memory/read memory/status memory/reset thread/readState/update thread/timeline/list",
  "unroll has no plugins, apps or experimental features":
    "plugin/search plugin/reconcile plugin/read plugin/skill/read plugin/install plugin/uninstall marketplace/add marketplace/remove " +
    "marketplace/upgrade app/read experimentalFeature/enablement/set mock/experimentalMethod",
  "unroll has no voice, predictions or automatic reviewers":
    "thread/realtime/start thread/realtime/appendAudio thread/realtime/appendText thread/realtime/appendSpeech thread/realtime/stop " +
    "thread/realtime/listVoices thread/prediction/request thread/sample thread/sample/cancel thread/approveGuardianDeniedAction " +
    "thread/guardianReview thread/prepareApprovedPlan",
  "Providers and logins are set up in the config and by `unroll login`":
    "account/gatewayOAuth/read account/gatewayOAuth/login account/gatewayOAuth/cancel account/bedrock/discover account/bedrock/setup " +
    "account/gcp/setup account/bedrock/checkGovCloudRequirements modelProvider/config/write userVerification/status userVerification/enroll " +
    "userVerification/delete userVerification/verify userVerification/cancel",
  "Clients read files but do not change or watch them here":
    "fs/writeFile fs/createDirectory fs/remove fs/copy fs/watch fs/unwatch externalAgentConfig/detect externalAgentConfig/import " +
    "externalAgentConfig/import/recordHistory externalAgentConfig/import/readHistories",
  "Skills are set up in the config": "skills/extraRoots/set skills/config/write",
  "`command/exec` runs a command of a client to its end, in the sandbox":
    "command/exec/write command/exec/terminate command/exec/resize process/spawn process/writeStdin process/kill process/resizePty",
  "unroll has one environment, this machine":
    "environment/add environment/info environment/status windowsSandbox/setupStart windowsSandbox/readiness",
  "unroll does not subscribe to events of MCP servers": "mcpServer/event/stream/start mcpServer/event/stream/stop",
  "It is not built yet":
    "server/diagnostics rollout/compress thread/search thread/searchOccurrences thread/items/read thread/increment_elicitation " +
    "thread/decrement_elicitation turn/settings/update fuzzyFileSearch/sessionStart fuzzyFileSearch/sessionUpdate fuzzyFileSearch/sessionStop",
};

/** The reason of each missing method. */
export const missingMethods: ReadonlyMap<string, string> = new Map(
  Object.entries(missing).flatMap(([reason, methods]) => methods.split(" ").map((method) => [method, reason] as const)),
);
