import type { ServerNotification } from '@modelcontextprotocol/sdk/types.js';

/** Below a minute, after which clients abandon a call without progress. */
const EVERY_MS = 10_000;

/** Sends progress notifications for a call: each step, and the last one again every 10 s. */
export interface Progress {
  report(message: string): void;
  /** Must be called when the call has its answer. */
  stop(): void;
}

interface Listener {
  /** Metadata of the request; without a progress token, nothing is sent. */
  readonly _meta?: { readonly progressToken?: string | number | undefined } | undefined;
  readonly sendNotification: (notification: ServerNotification) => Promise<void>;
}

const SILENT: Progress = { report: () => {}, stop: () => {} };

/** Starts progress notifications for a request. */
export function openProgress({ _meta, sendNotification }: Listener, everyMs = EVERY_MS): Progress {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return SILENT;
  let progress = 0;
  let last = '';
  const report = (message: string): void => {
    last = message;
    const params = { progressToken, progress: ++progress, message: message === '' ? undefined : message };
    // Fails if the client has disconnected, which is handled by the server.
    sendNotification({ method: 'notifications/progress', params }).catch(() => {});
  };
  const timer = setInterval(() => report(last), everyMs);
  return { report, stop: () => clearInterval(timer) };
}
