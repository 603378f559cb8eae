/** A process that sends one request, prints the result, and exits if nothing keeps it running. */
import { createBoundedFetch, type FetchBounds } from '../../../src/agents/llm/bounded-fetch.ts';

const [url = '', bounds = '{}', reading = 'all'] = process.argv.slice(2);

try {
  const reply = await createBoundedFetch(JSON.parse(bounds) as FetchBounds)(url, {
    method: 'POST',
    body: '{}',
  });
  if (reading === 'all') await reply.text();
  else await reply.body?.cancel();
  process.stdout.write('read');
} catch (error) {
  process.stdout.write((error as Error).name);
}
