import { agent, type AgentApp, type AgentRequestHandlersByMethod, methods } from "@agentclientprotocol/sdk";
import { type AgentParts, AgentService } from "./agent-service.ts";
import { toRequestError } from "./map/to-request-error.ts";
import type { Session } from "./session/session.ts";

/** What answers each method of the protocol, for one client. */
export function createAgent(parts: AgentParts): AgentApp {
  const handlers = createHandlers(parts);
  const answer = <Context, Response>(run: (context: Context) => Response | Promise<Response>) => {
    return async (context: Context): Promise<Response> => {
      try {
        return await run(context);
      } catch (error) {
        throw toRequestError(error, parts.complain);
      }
    };
  };
  const { agent: calls } = methods;
  const app = agent({ name: "unroll" });
  app.onRequest(calls.initialize, answer(handlers.initialize));
  app.onRequest(calls.authenticate, answer(handlers.authenticate));
  app.onRequest(calls.logout, answer(handlers.logout));
  app.onRequest(calls.session.new, answer(handlers["session/new"]));
  app.onRequest(calls.session.load, answer(handlers["session/load"]));
  app.onRequest(calls.session.resume, answer(handlers["session/resume"]));
  app.onRequest(calls.session.list, answer(handlers["session/list"]));
  app.onRequest(calls.session.close, answer(handlers["session/close"]));
  app.onRequest(calls.session.delete, answer(handlers["session/delete"]));
  app.onRequest(calls.session.prompt, answer(handlers["session/prompt"]));
  app.onRequest(calls.session.setMode, answer(handlers["session/set_mode"]));
  app.onRequest(calls.session.setConfigOption, answer(handlers["session/set_config_option"]));
  return app.onNotification(calls.session.cancel, ({ params }) => parts.sessions.get(params.sessionId)?.cancel());
}

function createHandlers(parts: AgentParts): AgentRequestHandlersByMethod {
  const { login, sessions } = parts;
  const service = new AgentService(parts);
  const find = ({ sessionId }: { readonly sessionId: string }): Session => sessions.find(sessionId);
  return {
    initialize: ({ params }) => service.initialize(params),
    authenticate: ({ params, signal }) => login.logIn(params.methodId, signal),
    logout: ({ signal }) => login.logOut(signal),
    "session/new": (context) => service.begin(context),
    "session/load": (context) => service.load(context),
    "session/resume": (context) => service.resume(context),
    "session/list": ({ params }) => sessions.list(params),
    "session/close": ({ params }) => sessions.close(params.sessionId),
    "session/delete": ({ params }) => sessions.remove(params.sessionId),
    "session/prompt": ({ params, signal }) => find(params).prompt(params.prompt, signal),
    "session/set_mode": ({ params }) => find(params).setMode(params.modeId),
    "session/set_config_option": async ({ params }) => ({
      configOptions: await find(params).setOption(params.configId, params.value),
    }),
  };
}
