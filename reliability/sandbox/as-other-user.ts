/** Run by itself as another user: tries every attack and prints what succeeded, as JSON. The first argument is a folder of that user's, which is visible in the sandbox. */
import { tryAll } from './try-all.ts';

const tried = await tryAll({ mode: 'strict', visible: process.argv[2]! });
process.stdout.write(JSON.stringify(tried));
