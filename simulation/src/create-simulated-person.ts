import type { Answer, Person, Question } from "@unroll/protocol";
import type { Chance } from "./create-chance.ts";
import type { ApprovalLaws } from "./law/approval-laws.ts";
import type { SimulatedProcess } from "./simulated-process.ts";

export interface PersonWorld {
  readonly chance: Chance;
  readonly approvals: ApprovalLaws;
  /** Whether all goes well from now on. */
  readonly isHealed: () => boolean;
  /** Interrupts the turn that runs, so that its question is withdrawn. */
  readonly interrupt: () => void;
}

type Reply = Answer | "withdrawn" | "nonsense" | "thrown";

const yes = { type: "approved.once" } as const;
const hourMs = 3_600_000;

/** Approves, denies, postpones, or gives an invalid answer, at once or an hour late; or interrupts the turn instead. */
export function createSimulatedPerson(process: SimulatedProcess, world: PersonWorld): Person {
  const { chance, approvals } = world;
  return {
    takes: ["command.approval", "patch.approval", "tool.approval", "server.form", "prefix.break"],
    async answer(question, signal) {
      const about = describe(question);
      await process.step(`asked: ${question.type} ${about}`);
      const reply = chooseReply(world);
      const isYes = typeof reply === "object" && (reply.type === "approved.once" || reply.type === "approved.thread");
      if (reply === "withdrawn") world.interrupt();
      else await process.clock.sleep(chance.pick(0, 0, 700, hourMs), signal);
      const isLater = typeof reply === "object" && reply.type === "postponed" && !signal.aborted;
      if (!isLater) approvals.answered(about, isYes && !signal.aborted);
      const isForThread = typeof reply === "object" && reply.type === "approved.thread" && !signal.aborted;
      if (isForThread && question.type === "tool.approval" && question.isKeepable) approvals.kept(question);
      if (signal.aborted) throw signal.reason;
      await process.step(`answered: ${typeof reply === "string" ? reply : reply.type}`);
      return question.type === "server.form" ? toFormAnswer(toAnswer(reply)) : toAnswer(reply);
    },
  };
}

function chooseReply({ chance, isHealed }: PersonWorld): Reply {
  if (isHealed()) return yes;
  return chance.pick<Reply>(
    yes,
    yes,
    yes,
    { type: "approved.thread" },
    { type: "denied", reason: null },
    { type: "denied", reason: "Ask me first." },
    { type: "approved.always", prefix: ["something", "else"] },
    { type: "postponed" },
    "withdrawn",
    "nonsense",
    "thrown",
  );
}

/** A program that stands in for a person may be wrong. */
function toAnswer(reply: Reply): Answer {
  if (reply === "thrown") throw new Error("The person's program is broken.");
  return typeof reply === "string" ? { type: "dismissed" } : reply;
}

/** The answer "always" is not valid for a form. */
function toFormAnswer(answer: Answer): Answer {
  switch (answer.type) {
    case "approved.once":
    case "approved.thread":
      return { type: "accepted", values: { why: "because" } };
    case "denied":
      return { type: answer.reason === null ? "declined" : "cancelled" };
    case "approved.edits":
    case "approved.hosts":
    case "approved.always":
    case "postponed":
    case "answered":
    case "dismissed":
    case "accepted":
    case "declined":
    case "cancelled":
      return answer;
  }
}

function describe(question: Question): string {
  switch (question.type) {
    case "command.approval":
      return question.command;
    case "patch.approval":
      return question.changes.map(({ path }) => path).join(" ");
    case "host.approval":
      return question.hosts.join(" ");
    case "tool.approval":
      return JSON.stringify(question.arguments);
    case "server.form":
      return question.message;
    case "prefix.break":
    case "model.questions":
      return question.type;
  }
}
