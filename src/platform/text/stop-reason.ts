/** Why something was stopped: by its own clock (AbortSignal.timeout), or by the user. */
export function stopReason(signal: AbortSignal): 'out of time' | 'interrupted' {
  const { name } = (signal.reason ?? {}) as { readonly name?: unknown };
  return name === 'TimeoutError' ? 'out of time' : 'interrupted';
}
