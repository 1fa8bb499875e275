export const agentKeys = {
  title: "Sub-agents",
  intro:
    "These keys let the model give tasks to other agents, each in a thread of its own ([agents.md](agents.md)). A sub-agent never has more permissions than the thread that started it, and spends from its budget.",
  keys: {
    "agents.enabled": {
      kind: "boolean",
      default: false,
      text: "give new threads the tools that start sub-agents and wait for them",
      weight: "guard",
      by: "user",
      member: "agents.enabled",
    },
    "agents.max_threads": {
      kind: "positive",
      default: 4,
      text: "how many sub-agents run at the same time, in all threads that one thread started",
      weight: "guard",
      by: "user",
      member: "agents.maxThreads",
    },
    "agents.max_depth": {
      kind: "count",
      default: 1,
      text: "how deep sub-agents nest: `1` means that a sub-agent starts no other one",
      weight: "guard",
      by: "user",
      member: "agents.maxDepth",
    },
    "agents.max_cost": {
      kind: "dollars",
      default: 2,
      text: "limit for one sub-agent, within the limits of the thread that started it. It applies where the model's price is known",
      weight: "guard",
      by: "user",
      member: "agents.maxCost",
    },
    "agents.max_tokens": {
      kind: "limit",
      default: 2_000_000,
      text: "the same limit for the sub-agent's tokens",
      weight: "guard",
      by: "user",
      member: "agents.maxTokens",
    },
  },
} as const;
