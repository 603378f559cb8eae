import type { ServerNotification } from '@modelcontextprotocol/sdk/types.js';

/** A client gives a call up after a minute in which it heard nothing of it. */
const EVERY_MS = 10_000;

/** Tells a client that its call goes on: what was done so far, and in between that it still lasts. */
export interface Progress {
  tell(message: string): void;
  stop(): void;
}

interface Listener {
  /** Of the request; without it nobody wants to know. */
  readonly _meta?: { readonly progressToken?: string | number | undefined } | undefined;
  readonly sendNotification: (notification: ServerNotification) => Promise<void>;
}

const SILENT: Progress = { tell: () => {}, stop: () => {} };

/** To be stopped when the call has its answer. */
export function openProgress({ _meta, sendNotification }: Listener, everyMs = EVERY_MS): Progress {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return SILENT;
  let progress = 0;
  let last = '';
  const tell = (message: string): void => {
    last = message;
    const params = { progressToken, progress: ++progress, ...(message !== '' && { message }) };
    // A client that has gone is told nothing; that it has gone is seen elsewhere.
    sendNotification({ method: 'notifications/progress', params }).catch(() => {});
  };
  const timer = setInterval(() => tell(last), everyMs);
  return { tell, stop: () => clearInterval(timer) };
}
