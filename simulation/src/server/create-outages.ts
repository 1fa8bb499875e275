import type { Turn } from "@unroll/scripted-model";
import type { Chance } from "../create-chance.ts";

interface OutageOptions {
  readonly chance: Chance;
  readonly faults: () => number;
  readonly onFault: (what: string) => void;
}

const overloaded: Turn = {
  status: 529,
  body: { error: { type: "overloaded_error", message: "It has too much to do." } },
};
const usedUp: Turn = {
  status: 429,
  body: { error: { type: "usage_limit_reached", message: "The limit is reached." } },
};
const gone: Turn = { status: 404, body: { error: { code: "model_not_found", message: "It is gone." } } };

/**
 * Some models answer nothing for a while, for longer than one request is retried. The function takes the model of a
 * request; null: the model answers.
 */
export function createOutages({ chance, faults, onFault }: OutageOptions): (model: string) => Turn | null {
  let outage = { model: "", left: 0, turn: gone };
  return (model) => {
    if (chance.happens(faults() / 2))
      outage = { model, left: 5 + chance.below(5), turn: chance.pick(overloaded, gone, usedUp) };
    if (faults() === 0 || outage.model !== model || outage.left === 0) return null;
    outage.left -= 1;
    onFault(`outage of ${model}`);
    return outage.turn;
  };
}
