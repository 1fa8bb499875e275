export { runChat } from "./plain/run-chat.ts";
