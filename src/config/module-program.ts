/**
 * `module-program ADDRESS`: runs a configuration module, in a process that ralph ends, and sends its default export to ralph,
 * or why there is none. What the module changes in this process, or leaves behind in it, ends with it.
 */
import { messageOf } from '../errors.ts';
import type { ModuleAnswer } from './run-module.ts';

// Taken before the module can put others in their place.
const { channel, exit } = process;
const send = process.send!.bind(process);
let hasAnswered = false;

function answer(it: ModuleAnswer): void {
  if (hasAnswered) return;
  hasAnswered = true;
  // Until ralph has read it.
  channel!.ref();
  send(it);
}

process.on('disconnect', () => exit(0));
// Otherwise this process would wait for ralph when there is nothing left to do.
channel!.unref();
process.on('beforeExit', () => answer({ problem: 'it waits for what never happens' }));
const refuse = (error: unknown): void =>
  answer({ problem: `it threw an error that it does not catch: ${messageOf(error)}` });
process.on('uncaughtException', refuse);
process.on('unhandledRejection', refuse);

try {
  const module = (await import(process.argv[2]!)) as { default?: unknown };
  const data: unknown = structuredClone(await module.default);
  // A value that contains itself throws here, not where the settings are used.
  JSON.stringify(data, (_, it: unknown) => (typeof it === 'bigint' ? String(it) : it));
  // Rejections that nothing handles come first.
  setImmediate(() => answer({ data }));
} catch (error) {
  answer({ problem: messageOf(error) });
}
