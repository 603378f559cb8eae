/**
 * `node as-other-user.ts FOLDER ENGINE`, run as another user: tries every attack and prints the result as JSON. FOLDER
 * belongs to that user and is visible in the sandbox.
 */
import type { EngineChoice } from '../../../src/platform/sandbox/find-engine.ts';
import { tryAll } from './try-all.ts';

const [visible, engine] = process.argv.slice(2) as [string, EngineChoice];
const tried = await tryAll({ mode: 'strict', engine, visible });
process.stdout.write(JSON.stringify(tried));
