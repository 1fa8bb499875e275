import { resolveCredential, type ResolvedConfig } from "@unroll/config";
import type { McpServerConfig } from "@unroll/protocol";

/** A host that may be contacted. */
export interface ContactedHost {
  /** With its port where that is not the usual one. Null: it is not known before it is asked. */
  readonly host: string | null;
  readonly purpose: "model" | "login" | "mcp" | "proxy" | "local";
  readonly why: string;
}

/** A program of somebody else's that is run, and contacts whom it likes. */
export interface UnboundProgram {
  readonly program: string;
  readonly why: string;
}

export interface HostFacts {
  readonly config: ResolvedConfig;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The built-in model stands in. */
  readonly isDemo: boolean;
  /** The stored login's type; null: none is stored. */
  readonly loginType: "key" | "tokens" | null;
}

/** Every host that a run with this config can contact by itself. Contacts none. */
export function listHosts(facts: HostFacts): readonly ContactedHost[] {
  const { config, env } = facts;
  const direct = [toModelHost(facts), ...listLoginHosts(facts)];
  const enabled = config.mcpServers.filter((server) => server.enabled);
  return [...direct, ...enabled.flatMap(listMcpHosts), ...listProxies(env), ...config.localPorts.map(toLocalHost)];
}

function toLocalHost(port: number): ContactedHost {
  const why = "checked by doctor and on the first run (local_ports)";
  return { host: `127.0.0.1:${port}`, purpose: "local", why };
}

function toModelHost({ config, env, isDemo, loginType }: HostFacts): ContactedHost {
  const { name, baseUrl, loginBaseUrl } = config.provider;
  if (isDemo) return { host: "127.0.0.1", purpose: "model", why: "the demo model, inside this process" };
  const isByLogin = loginType === "tokens" && resolveCredential(config.provider, env).type === "missing";
  const address = isByLogin ? (loginBaseUrl ?? baseUrl) : baseUrl;
  return { host: new URL(address).host, purpose: "model", why: `the thread's messages go to ${name}` };
}

function listLoginHosts({ config, env, loginType }: HostFacts): readonly ContactedHost[] {
  const { issuer, hosts } = config.login;
  const isUsed = loginType === "tokens" && resolveCredential(config.provider, env).type === "missing";
  const why = isUsed ? "renews your login; unroll login and logout" : "unroll login and logout only";
  const issuerHost = new URL(issuer).host;
  return [
    { host: issuerHost, purpose: "login", why },
    ...hosts.map((host) => ({ host, purpose: "login", why: `for the login, if ${issuerHost} names it` }) as const),
  ];
}

function listMcpHosts(server: McpServerConfig): readonly ContactedHost[] {
  if (server.type === "stdio") return [];
  const own = { host: new URL(server.address).host, purpose: "mcp", why: `the MCP server ${server.id}` } as const;
  if (server.bearerTokenEnvVar !== null) return [own];
  const why = `login hosts that the MCP server ${server.id} names; unroll mcp login shows each one first`;
  return [own, { host: null, purpose: "mcp", why }];
}

/** As Node.js reads them: the small letters count first. */
function listProxies(env: HostFacts["env"]): readonly ContactedHost[] {
  return ["https_proxy", "http_proxy"].flatMap((name): readonly ContactedHost[] => {
    const used = [name, name.toUpperCase()].find((each) => env[each]);
    const host = used === undefined ? undefined : URL.parse(env[used] ?? "")?.host;
    if (used === undefined || !host) return [];
    const scheme = name.replace("_proxy", "");
    return [{ host, purpose: "proxy", why: `${used}: proxy for ${scheme} requests to models, MCP servers and logins` }];
  });
}

/** The programs that run on behalf of this config. */
export function listUnboundPrograms({ config }: Pick<HostFacts, "config">): readonly UnboundProgram[] {
  const { mcpServers, provider, sandboxSettings } = config;
  const servers = mcpServers.flatMap((server) =>
    server.enabled && server.type === "stdio" ? [{ program: server.command, why: `the MCP server ${server.id}` }] : [],
  );
  const { authCommand } = provider;
  const [keyProgram = ""] = authCommand?.argv ?? [];
  return [
    ...servers,
    ...(authCommand === null ? [] : [{ program: keyProgram, why: `prints the key (${authCommand.configKey})` }]),
    ...listCommands(sandboxSettings),
  ];
}

function listCommands({ mode, networkAccess }: ResolvedConfig["sandboxSettings"]): readonly UnboundProgram[] {
  const isOpen = mode === "danger-full-access" || (mode === "workspace-write" && networkAccess);
  const why = isOpen
    ? "run by the model, with network access"
    : "run by the model, if you or a rule let them out of the sandbox";
  return [{ program: "commands", why }];
}
