// Why a difference between the app-server of the Codex CLI and ours stays. Each name is a row of "Differences from the Codex CLI" in docs/app-server.md.

/** Against an older Codex CLI: what the newest does as ours. */
export const ofVersions = "Older versions";

/** The first that fits names it; what is left out of `ofPart` and `side` fits everything. */
const messages = [
  { name: "Codes of errors", line: /^= [\w/]+: error -326/ },
  { name: "When usage is reported", line: /^thread\/tokenUsage\/updated$/, ofPart: /^(?!thread\/resume)/ },
  { name: "When usage is reported", line: /^item\/started commandExecution inProgress$/, ofPart: /^an interruption$/ },
  { name: "Usage of a resumed thread", line: /^thread\/tokenUsage\/updated$/, ofPart: /^thread\/resume$/, side: "reference" },
  { name: "Output as it comes", line: /^item\/commandExecution\/outputDelta$/, side: "ours" },
  { name: "The diff of a turn", line: /^turn\/diff\/updated$/, side: "reference" },
  { name: "Waiting for an answer", line: /^thread\/status\/changed active(?: waitingOnApproval)?$/, ofPart: /^an approval/ },
  { name: "Waiting for an answer", line: /^item\/(?:started|completed) commandExecution (?:inProgress|declined)$/, ofPart: /^an approval/ },
  { name: "When steering is reported", line: /^item\/(?:started|completed) userMessage$|^item\/completed commandExecution completed$|^= turn\/steer$/, ofPart: /^steering$/ },
  { name: "Aborted commands", line: /^item\/completed commandExecution failed$/, ofPart: /^an interruption$/, side: "ours" },
  { name: "When an interruption is answered", line: /^= turn\/interrupt$/, ofPart: /^an interruption$/ },
  { name: "Threads without clients", line: /^thread\/status\/changed notLoaded$/, ofPart: /^thread\/archive$/, side: "reference" },
];

/** Notifications about the Codex CLI's own services and windows. */
const ownNotifications =
  /^(?:account\/rateLimits\/updated|thread\/readState\/changed|remoteControl\/status\/changed|thread\/goal\/cleared|deprecationNotice)$/;

const ownMembers =
  "activePermissionProfile agentNickname agentRole attachedToThreadId canAcceptDirectInput collaborationMode contentTokenCount daybreakEnabled delivery disabledPluginIds " +
  "environmentId environments extra historyMode initialTurnsPage itemsBackwardsCursor kind memoryCitation moderation multiAgentMode originator personality pluginId projectId " +
  "questions readState readStates reasoningEffort recencyAt rootTurnId runtimeWorkspaceRoots scriptPath section sectionEnteredAt text_elements threadSource turnsBackwardsCursor";

const ownPath = new RegExp(`\\.(?:${ownMembers.replaceAll(" ", "|")})$`);

const members = [
  { name: "Times of items", path: /items?(?:\[\])?<\w+>\.(?:startedAtMs|completedAtMs)$/, side: "reference" },
  { name: "Threads without clients", path: /^\.status<notLoaded>\.type$/, side: "reference" },
  { name: "The branch of a thread", path: /\.gitInfo\.\w+$/, side: "ours" },
  { name: "Plan mode of a new thread", path: /^\.collaborationMode$/, side: "ours" },
];

/** Members whose values differ; what is left out of `ofHead` fits every message. */
const values = [
  { name: "Processes of commands", path: /<commandExecution>\.(?:processId|source)$/ },
  { name: "Names and versions", path: /\.(?:userAgent|cliVersion|source)$/ },
  { name: "Paths of threads", path: /\.path$/, ofHead: /thread/ },
  { name: "Default effort", path: /\.(?:reasoningEffort|effort|summary|reasoning_effort)$/ },
  { name: "Commands without their shell", path: /^(?:.*<commandExecution>)?\.command$/ },
  { name: "Aborted commands", path: /<commandExecution>\.(?:status|commandActions\[\](?:<\w+>)?\.\w+|exitCode|durationMs)$/ },
  { name: "Commands without output", path: /<commandExecution>\.aggregatedOutput$/ },
  { name: "Size of the context window", path: /\.modelContextWindow$/ },
  { name: "Usage of a resumed thread", path: /\.tokenUsage\.total\.\w+$/ },
  { name: "Paths in the diff of a turn", path: /^\.diff$/, ofHead: /^turn\/diff\/updated$/ },
  { name: "More answers to a question", path: /^\.availableDecisions\[\]$/ },
  { name: "Times of stored turns", path: /\.turns\[\]\.(?:startedAt|completedAt|durationMs)$/ },
  { name: "Order of a list of threads", path: /^\.backwardsCursor$/ },
  { name: "The branch of a thread", path: /\.gitInfo$/ },
];

/** Whether a message is one that only the Codex CLI has, as `Its own services` says. */
export function isOwnNotification(line) {
  return ownNotifications.test(line);
}

/** The same of a member, as `Its own members` says. */
export function isOwnMember(path) {
  return ownPath.test(path);
}

/** The name of a message that only one has at its place; null: it has none. */
export function nameMessage({ part, line, side }) {
  return messages.find((each) => each.line.test(line) && (each.ofPart?.test(part) ?? true) && (each.side ?? side) === side)?.name ?? null;
}

/** The name of a member that only one has; null: it has none. */
export function nameMember({ path, side }) {
  return members.find((each) => each.path.test(path) && (each.side ?? side) === side)?.name ?? null;
}

/** The name of a member whose values differ; null: it has none. */
export function nameValue({ head, path }) {
  return values.find((each) => each.path.test(path) && (each.ofHead?.test(head) ?? true))?.name ?? null;
}

/** The names without a row in docs/app-server.md. */
export function listUndocumented(page) {
  return ["Its own services", "Its own members", ofVersions, ...new Set([...messages, ...members, ...values].map(({ name }) => name))].filter((name) => !page.includes(`| ${name} |`));
}
