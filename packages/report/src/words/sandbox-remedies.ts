/** The ways to a full sandbox, or to work without one, in sentences. */
export const sandboxRemedies: string =
  "For the full sandbox, install bubblewrap (apt-get install bubblewrap). In a container, also start the container with " +
  "--security-opt seccomp=unconfined --security-opt systempaths=unconfined. If the container is isolation enough, use " +
  "--sandbox danger-full-access.";
