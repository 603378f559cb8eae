/** Run by itself as another user: tries every attack and prints what succeeded, as JSON. Arguments: a folder of that user's, which is visible in the sandbox; the engine. */
import type { EngineChoice } from '../../../src/platform/sandbox/find-engine.ts';
import { tryAll } from './try-all.ts';

const [visible, engine] = process.argv.slice(2) as [string, EngineChoice];
const tried = await tryAll({ mode: 'strict', engine, visible });
process.stdout.write(JSON.stringify(tried));
