/**
 * Loaded before ralph's sources with `--import`. It appends each program that ralph has started, when that ends, as a line
 * of JSON to $STARTS: the files of `src` in the stack of the start, and the CPU time of all ended children before and after it,
 * by /proc/self/stat (proc(5)), in ticks of 10 ms. Of programs that run at once, the difference counts twice; a sandbox hides it.
 */
import childProcess from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const TICK_MS = 10;
const [USER, SYSTEM] = [13, 14];
const { spawn } = childProcess;
Error.stackTraceLimit = 60;

childProcess.spawn = function (file, ...rest) {
  const stack = [...new Error('start').stack.matchAll(/\/src\/([\w/-]+)\.ts:/g)].map(([, name]) => name);
  const before = endedChildrenMs();
  const child = spawn.call(this, file, ...rest);
  const words = [file, ...(Array.isArray(rest[0]) ? rest[0] : [])];
  child.once('exit', () => {
    const note = { words, stack, before, after: endedChildrenMs() };
    appendFileSync(process.env.STARTS, `${JSON.stringify(note)}\n`);
  });
  return child;
};
syncBuiltinESMExports();

function endedChildrenMs() {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[USER]) + Number(fields[SYSTEM])) * TICK_MS;
}
