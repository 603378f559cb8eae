/**
 * Keeps the rejections that nothing handles yet, for the steps that await them later: a step may have begun another one and
 * wait for something else first. Node would end the process with a stack trace. If one is left when a process would end
 * with exit code 0, `report` gets it and returns the exit code.
 */
export function awaitRejections(report: (reason: unknown) => number): void {
  const left = new Map<Promise<unknown>, unknown>();
  process.on('unhandledRejection', (reason, promise) => left.set(promise, reason));
  process.on('rejectionHandled', (promise) => left.delete(promise));
  process.once('exit', () => {
    for (const reason of left.values()) process.exitCode ||= report(reason);
  });
}
