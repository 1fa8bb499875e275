import { agent, type AgentApp, methods } from "@agentclientprotocol/sdk/unstable";
import { type AgentParts, AgentService } from "./agent-service.ts";
import { toRequestError } from "./map/to-request-error.ts";

/** The methods of the protocol, for one client. */
export function createAgent(parts: AgentParts): AgentApp {
  const { login, sessions, complain } = parts;
  const service = new AgentService(parts);
  const answer = <Context, Response>(run: (context: Context) => Response | Promise<Response>) => {
    return async (context: Context): Promise<Response> => {
      try {
        return await run(context);
      } catch (error) {
        throw toRequestError(error, complain);
      }
    };
  };
  const { initialize, authenticate, logout, session } = methods.agent;
  const app = agent({ name: "unroll" });
  app.onRequest(
    initialize,
    answer(({ params }) => service.initialize(params)),
  );
  app.onRequest(
    authenticate,
    answer(({ params, signal }) => login.logIn(params.methodId, signal)),
  );
  app.onRequest(
    logout,
    answer(({ signal }) => login.logOut(signal)),
  );
  app.onRequest(
    session.new,
    answer((context) => service.begin(context)),
  );
  app.onRequest(
    session.load,
    answer((context) => service.load(context)),
  );
  app.onRequest(
    session.resume,
    answer((context) => service.resume(context)),
  );
  app.onRequest(
    session.fork,
    answer((context) => service.fork(context)),
  );
  app.onRequest(
    session.list,
    answer(({ params }) => sessions.list(params)),
  );
  app.onRequest(
    session.close,
    answer(({ params }) => sessions.close(params.sessionId)),
  );
  app.onRequest(
    session.delete,
    answer(({ params }) => sessions.remove(params.sessionId)),
  );
  app.onRequest(
    session.prompt,
    answer(({ params, signal }) => sessions.find(params.sessionId).prompt(params.prompt, signal)),
  );
  app.onRequest(
    session.setMode,
    answer(({ params }) => sessions.find(params.sessionId).setMode(params.modeId)),
  );
  app.onRequest(
    session.setConfigOption,
    answer(async ({ params: { sessionId, configId, value } }) => ({
      configOptions: await sessions.find(sessionId).setOption(configId, value),
    })),
  );
  return app.onNotification(session.cancel, ({ params }) => sessions.get(params.sessionId)?.cancel());
}
