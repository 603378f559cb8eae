/** `node state-worker.ts ROOT durable|plain`: makes the writes, and says each as soon as it is acknowledged. */
import { writeSync } from 'node:fs';
import { failpointHits } from '../../../src/platform/files/failpoint.ts';
import { plainWrites, stateWrites } from './state-writes.ts';

const [root, how] = process.argv.slice(2);
for (const write of how === 'plain' ? plainWrites(root!) : stateWrites(root!)) {
  await write.run();
  writeSync(1, `${write.name}\n`);
}
writeSync(1, `passed ${failpointHits()}\n`);
