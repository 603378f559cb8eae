import type { ServerResponse } from 'node:http';
import { RalphError } from '../errors.ts';
import { readLoopRecord } from '../report/data/loop-record.ts';
import { renderLoopPage } from '../report/page/loop-page.ts';
import { resolveLoopId } from '../state/loops.ts';
import { pageAnswer, textAnswer, type Answer } from './answer.ts';
import { renderFleet, SHOWN_JOBS } from './fleet-page.ts';
import type { FleetEvents } from './fleet-events.ts';
import type { FleetReader } from './fleet-state.ts';
import { servedParts, type Frame } from './frame.ts';
import type { LiveEvents } from './live-events.ts';
import { readLoop, readLoops } from './local-loops.ts';
import { renderLiveTop, renderLoops } from './loops-page.ts';
import { renderLessons, renderReflections } from './memory-pages.ts';
import { renderMetrics } from './metrics.ts';
import { renderSpending } from './spending-page.ts';

/** What the pages are made of. */
export interface RouteParts {
  readonly repositoryRoot: string;
  readonly frame: Frame;
  readonly fleet: FleetReader | undefined;
  readonly live: LiveEvents;
  readonly fleetEvents: FleetEvents | undefined;
}

/** Answers a GET request for an address; `streamed` if the response is a stream that stays open. */
export type Routes = (url: URL, response: ServerResponse) => Promise<Answer | 'streamed'>;

const MOST_QUERY_CHARS = 400;
const NOT_FOUND = textAnswer(404, 'There is no such page. Go to /\n');
const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Creates the pages of a repository. */
export function createRoutes({ repositoryRoot, frame, fleet, live, fleetEvents }: RouteParts): Routes {
  const pages: Readonly<Record<string, (words: string) => Promise<Answer> | Answer>> = {
    '/': async () => pageAnswer(renderLoops(frame, await readLoops(repositoryRoot))),
    '/reflections': async (words) => pageAnswer(await renderReflections(frame, repositoryRoot, words)),
    '/lessons': async (words) => pageAnswer(await renderLessons(frame, repositoryRoot, words)),
    '/spending': async () => pageAnswer(renderSpending(frame, (await readLoops(repositoryRoot)).loops)),
    '/healthz': () => textAnswer(200, 'ok\n'),
    '/metrics': async () => {
      const { loops } = await readLoops(repositoryRoot);
      const body = renderMetrics({ loops, streams: live.streams, fleet: await fleet?.read(0) });
      return { status: 200, type: METRICS_TYPE, body };
    },
    ...(fleet !== undefined && {
      '/fleet': async () => pageAnswer(renderFleet(frame, await fleet.read(SHOWN_JOBS))),
    }),
  };
  const stream = async (response: ServerResponse, loopId?: string): Promise<'streamed'> => {
    await live.open(response, loopId);
    return 'streamed';
  };
  return async ({ pathname, searchParams }, response) => {
    const page = Object.hasOwn(pages, pathname) ? pages[pathname] : undefined;
    if (page !== undefined) return page((searchParams.get('q') ?? '').slice(0, MOST_QUERY_CHARS));
    if (pathname === '/events') return stream(response);
    if (pathname === '/fleet/events' && fleetEvents !== undefined) {
      await fleetEvents.open(response);
      return 'streamed';
    }
    const [, given, events] = /^\/loops\/([\w-]{1,200})(\/events)?$/.exec(pathname) ?? [];
    if (given === undefined) return NOT_FOUND;
    const loopId = await resolveLoopId(repositoryRoot, given).catch(noLoop);
    if (loopId === undefined) return NOT_FOUND;
    return events === undefined ? loopPage(loopId) : stream(response, loopId);
  };

  async function loopPage(loopId: string): Promise<Answer> {
    const loop = await readLoop(repositoryRoot, loopId);
    const top = loop?.status === 'running' ? renderLiveTop(loop) : undefined;
    try {
      const record = await readLoopRecord(repositoryRoot, loopId);
      return pageAnswer(renderLoopPage(record, frame.version, servedParts(frame, `/loops/${loopId}`, top)));
    } catch (error) {
      // The report of a loop whose files are damaged, or whose baseline is not evaluated yet, cannot be made.
      if (!(error instanceof RalphError)) throw error;
      return textAnswer(409, `${error.message}\n${error.hint ?? ''}\n`);
    }
  }
}

function noLoop(error: unknown): undefined {
  if (error instanceof RalphError) return undefined;
  throw error;
}
