/** Prints what an agent would in its headless mode. Arguments: a file of lines to print, a report file, an exit code. */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';

const [linesFile = '', reportFile = '', exitCode = '0', ...args] = process.argv.slice(2);
const prompt = await text(process.stdin);
appendFileSync(reportFile, `${JSON.stringify({ tag: process.env['RALPH_PROCESS_TAG'], args, prompt })}\n`);
writeFileSync('src/sum.js', 'edited\n');
process.stdout.write(readFileSync(linesFile, 'utf8'));
process.stderr.write('a word on stderr\n');
if (exitCode === 'never') setInterval(() => {}, 1000);
else process.exitCode = Number(exitCode);
