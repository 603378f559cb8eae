const QUICK_MS = 1_000;

/** Whether a run of a check was so short that others may run beside it: no limit of a test can come near because of them. */
export function isQuick({ duration_ms: ms }: { readonly duration_ms: number }): boolean {
  return ms <= QUICK_MS;
}
