import type { LoginStatus } from "@unroll/auth";
import { toPlainText } from "@unroll/text";

/** A login as a person reads it: nothing of it that could be used. */
export function describeLogin({ type, place, email, plan, renewedAt }: LoginStatus): string {
  const who = [
    ...(email === null ? [] : [` as ${toPlainText(email)}`]),
    ...(plan === null ? [] : [` (${toPlainText(plan)})`]),
  ];
  const how = type === "key" ? "Logged in with an API key." : `Logged in${who.join("")}.`;
  const when = renewedAt === null ? "" : `, last renewed ${new Date(renewedAt).toISOString()}`;
  return `${how}\nKept in ${place}${when}.`;
}
