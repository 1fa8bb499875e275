export { logIn, logOut } from "./login/log-in.ts";
export { readCredential, readLogin } from "./login/read-login.ts";

export type { LoginEnd, LoginPlace, LoginWay, ShownCode } from "./login/log-in.ts";
