import type { ClientMethod } from "@unroll/app-server-protocol";
import { cancelLogin, logOut, readAccount, startLogin } from "./account-methods.ts";
import { listModels, listPermissionProfiles, listSkills, readConfig, writeConfigValue } from "./config-methods.ts";
import { runCommand, searchFiles } from "./file-methods.ts";
import { initialize } from "./initialize.ts";
import { listMcpServers, logInToMcpServer } from "./mcp-methods.ts";
import type { Method } from "./method.ts";
import {
  archiveThread,
  compactThread,
  deleteThread,
  forkThread,
  listLoadedThreads,
  listThreads,
  nameThread,
  readThread,
  resumeThread,
  rollBackThread,
  startThread,
  unarchiveThread,
  unsubscribeThread,
} from "./thread-methods.ts";
import { startReview } from "./review-method.ts";
import { interruptTurn, startTurn, steerTurn } from "./turn-methods.ts";

/** What answers each request of the protocol. */
export const methods: Readonly<Record<ClientMethod, Method>> = {
  initialize,
  "thread/start": startThread,
  "thread/resume": resumeThread,
  "thread/fork": forkThread,
  "thread/read": readThread,
  "thread/list": listThreads,
  "thread/loaded/list": listLoadedThreads,
  "thread/name/set": nameThread,
  "thread/archive": archiveThread,
  "thread/unarchive": unarchiveThread,
  "thread/delete": deleteThread,
  "thread/unsubscribe": unsubscribeThread,
  "thread/rollback": rollBackThread,
  "thread/compact/start": compactThread,
  "turn/start": startTurn,
  "turn/steer": steerTurn,
  "turn/interrupt": interruptTurn,
  "review/start": startReview,
  "model/list": listModels,
  "permissionProfile/list": listPermissionProfiles,
  "config/read": readConfig,
  "config/value/write": writeConfigValue,
  "skills/list": listSkills,
  "mcpServerStatus/list": listMcpServers,
  "mcpServer/oauth/login": logInToMcpServer,
  "account/read": readAccount,
  "account/login/start": startLogin,
  "account/login/cancel": cancelLogin,
  "account/logout": logOut,
  fuzzyFileSearch: searchFiles,
  "command/exec": runCommand,
};
