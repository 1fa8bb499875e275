import { formatAmount, parseAmount } from "./money.js";
import { splitEvenly } from "./split.js";

/** One line for each person: who pays how much of the bill. */
export function report(bill, people) {
  return splitEvenly(parseAmount(bill), people)
    .map(({ person, cents }) => `${person} pays ${formatAmount(cents)}`)
    .join("\n");
}
