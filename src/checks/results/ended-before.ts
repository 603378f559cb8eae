/** Message of a test, or a suite, whose process ended before it did. */
export function endedBefore(kind: string): string {
  return `The process of the file ended before this ${kind} did.`;
}
