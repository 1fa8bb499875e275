/** `danger-full-access`: no walls. */
export function describeDangerFullAccess(): string {
  return [
    "# Sandbox: none",
    "Commands run with all the rights of the person's account: every file, the network, other programs. Nothing catches a mistake, so the care is yours. Stay within the project unless the task leads out of it, look at what a command will hit before you delete, overwrite or send anything, and prefer what can be undone.",
  ].join("\n\n");
}
