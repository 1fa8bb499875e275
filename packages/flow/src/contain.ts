/**
 * A callback for a timer, a watcher or a listener: nobody is there to catch what it throws, or what
 * its promise rejects with, so that it would end the process. `onFault` gets it instead; it decides
 * what is given up, and must not throw.
 */
export function contain<Given extends readonly unknown[]>(
  work: (...given: Given) => unknown,
  onFault: (error: unknown) => void,
): (...given: Given) => void {
  return (...given) => {
    try {
      const result = work(...given);
      if (result instanceof Promise) result.catch(onFault);
    } catch (error) {
      onFault(error);
    }
  };
}
