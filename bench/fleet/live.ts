import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunEvent } from '../../src/events.ts';
import { takeJob } from '../../src/fleet/queue/take.ts';
import { submitJobs } from '../../src/fleet/queue/submit.ts';
import { openEventLog } from '../../src/fleet/store/events.ts';
import { startServer } from '../../src/serve/server.ts';
import { openChromium } from '../../test/support/chromium.ts';
import { requestsOf } from './queue.ts';
import type { BenchServer } from './server.ts';
import { percentile } from './times.ts';

/** From the event of a loop to the line on the page, in milliseconds, and pauses between two frames of the page. */
export interface LiveFigures {
  readonly loops: number;
  readonly events: number;
  readonly shown: number;
  readonly median: number;
  readonly p99: number;
  readonly most: number;
  readonly longest_frame: number;
  readonly frames_over_100_ms: number;
}

/** Each loop has an event in this time. */
const EVERY_MS = 1000;
/** The page has drawn the state at its start by then. */
const SETTLED_MS = 5000;

interface Seen {
  readonly shown: Readonly<Record<string, number>>;
  readonly frames: readonly number[];
}

/** Lets many loops have events while a real browser shows them. */
export async function measureLive(
  server: BenchServer,
  { loops, seconds }: { readonly loops: number; readonly seconds: number },
): Promise<LiveFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'ralph-bench-live-'));
  const fleet = await server.open();
  const pages = await startServer({
    ...{ repositoryRoot: folder, port: 0, host: '127.0.0.1', version: 'bench', warn: console.error },
    env: { DATABASE_URL: server.address },
  });
  const browser = await openChromium();
  try {
    await submitJobs(fleet, requestsOf(0, loops));
    const taker = { id: randomUUID(), name: 'bench', labels: [], repositories: [] };
    const logs = [];
    for (let loop = 0; loop < loops; loop++)
      logs.push(openEventLog(fleet.database, (await takeJob(fleet, taker))!));
    const page = await browser.newPage();
    await page.goto(`${pages.url}fleet`);
    await page.evaluate(WATCH);
    await sleep(SETTLED_MS);
    await page.evaluate('frames.length = 0');
    const sent = new Map<string, number>();
    const wait = EVERY_MS / loops;
    const start = performance.now();
    for (let number = 1; performance.now() - start < seconds * 1000; number++) {
      const due = start + number * wait;
      if (due > performance.now()) await sleep(due - performance.now());
      sent.set(String(number), Date.now());
      logs[number % loops]!.emit({ type: 'attempt_started', iteration: number } as RunEvent);
    }
    await sleep(2000);
    const { shown, frames } = (await page.evaluate('({ shown, frames })')) as Seen;
    await Promise.all(logs.map((log) => log.close()));
    const delays = Object.entries(shown).map(([number, at]) => at - sent.get(number)!);
    const longest = Math.max(...frames);
    return {
      loops,
      events: sent.size,
      shown: delays.length,
      ...{ median: percentile(delays, 0.5), p99: percentile(delays, 0.99), most: Math.max(...delays) },
      longest_frame: Math.round(longest),
      frames_over_100_ms: frames.filter((time) => time > 100).length,
    };
  } finally {
    await browser.close();
    await pages.close();
    await fleet.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Notes when a line is drawn: in the frame after it was put into the page. */
const WATCH = `
  var shown = {}, frames = [], last = performance.now();
  const frame = (now) => { frames.push(now - last); last = now; requestAnimationFrame(frame); };
  requestAnimationFrame(frame);
  new MutationObserver((changes) => {
    const numbers = changes.flatMap(({ addedNodes }) => [...addedNodes])
      .flatMap((node) => /attempt (\\d+): act/.exec(node.textContent)?.[1] ?? []);
    requestAnimationFrame(() => { for (const number of numbers) shown[number] ??= Date.now(); });
  }).observe(document.querySelector('[data-events]'), { childList: true, subtree: true });
`;
