/** A program that says it is an agent and is none. Arguments: a behaviour, a report file. */
import { appendFileSync } from 'node:fs';
import { execa } from 'execa';

const [behaviour = '', reportFile = ''] = process.argv.slice(2);
const report = (fields: object): void => appendFileSync(reportFile, `${JSON.stringify(fields)}\n`);
const send = (message: object): boolean =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

/** A child in a session of its own, which killing the process group does not end. */
const STRAY = { detached: true, stdio: 'inherit', reject: false } as const;

const BEHAVIOURS: Readonly<Record<string, () => void>> = {
  'dead-at-start'() {
    process.stderr.write('no configuration found\n');
    process.exitCode = 1;
  },
  /** Takes everything, answers nothing, and does not want to go. */
  mute() {
    process.on('SIGTERM', () => {});
    report({ stray: execa('sleep', ['300'], STRAY).pid });
    process.stdin.resume();
    setInterval(() => {}, 1000);
  },
  /** Greets, and never opens a session. */
  'greets-only'() {
    process.stdin.once('data', () => send({ id: 0, result: { protocolVersion: 1 } }));
    setInterval(() => {}, 1000);
  },
  garbage() {
    process.stdout.write('usage: agent [options]\n');
    setInterval(
      () =>
        process.stdout.write(
          '\u0000\u0001 noise {"jsonrpc":"2.0"}\n{"id":1}\nnull\n{"jsonrpc":"2.0","id":9,"result":1}\n',
        ),
      5,
    );
  },
  'one-endless-line'() {
    const more = (): void => {
      while (process.stdout.write('x'.repeat(65_536)));
      process.stdout.once('drain', more);
    };
    more();
  },
  /** Answers what nobody asked, and asks without end, never listening. */
  'endless-questions'() {
    let id = 0;
    process.stdin.once('data', () => {
      process.stdin.pause();
      send({ id: 0, result: { protocolVersion: 1 } });
      const more = (): void => {
        while (
          send({ id: ++id, method: 'fs/read_text_file', params: { sessionId: 's', path: process.argv[4] } })
        );
        process.stdout.once('drain', more);
      };
      more();
    });
  },
  /** Leaves a child that holds its output open. */
  'held-output'() {
    const child = execa('sleep', ['300'], STRAY);
    child.nodeChildProcess.unref();
    report({ stray: child.pid });
    process.exitCode = 4;
  },
  echo() {
    process.stdin.pipe(process.stdout);
  },
};

report({ tag: process.env['RALPH_PROCESS_TAG'] });
BEHAVIOURS[behaviour]!();
