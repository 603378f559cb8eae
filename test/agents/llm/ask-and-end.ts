/** A process that makes one guarded request, prints how it ended, and ends when nothing holds it any more. */
import { createGuardedFetch, type FetchBounds } from '../../../src/agents/llm/guarded-fetch.ts';

const [url = '', bounds = '{}', reading = 'all'] = process.argv.slice(2);

try {
  const reply = await createGuardedFetch(JSON.parse(bounds) as FetchBounds)(url, {
    method: 'POST',
    body: '{}',
  });
  if (reading === 'all') await reply.text();
  else await reply.body?.cancel();
  process.stdout.write('read');
} catch (error) {
  process.stdout.write((error as Error).name);
}
