import type { Fault } from './fault.ts';

/** Checks that print this number of bytes. `program` is the text of `print-bytes.mjs`. */
export function floods(bytes: number, program: string): readonly Fault[] {
  const seconds = Math.ceil(60 + bytes / 2e7);
  const flood = (name: string, command: string): Fault => ({
    name,
    command: `${command}; exit 1`,
    files: { 'print-bytes.mjs': program },
    timeoutSeconds: seconds,
    expected: { exitCode: 1, status: 'fail', detail: /Exit code 1/, output: [/^HEAD/, /TAIL\s*$/] },
  });
  const shape = (name: string, words: string): Fault => flood(name, `node print-bytes.mjs ${bytes} ${words}`);
  return [
    shape('many lines', 'lines out'),
    inFull(shape('many lines of errors', 'lines err')),
    shape('one line', 'line out'),
    inFull(shape('binary output', 'binary out')),
    inFull(
      flood(
        'output that looks like a TAP report',
        `node print-bytes.mjs ${bytes} line out | sed '1s/HEAD/HEAD\\nTAP version 14/'`,
      ),
    ),
    ...PATTERNS.map(([name, text]) =>
      inFull(
        flood(name, `echo HEAD; node -e "process.stdout.write('${text}'.repeat(3e6))"; echo; echo TAIL`),
      ),
    ),
  ];
}

function inFull(fault: Fault): Fault {
  return { ...fault, fullOnly: true };
}

/** Texts that could make the parsers of messages slow, repeated three million times. */
const PATTERNS: readonly (readonly [name: string, text: string])[] = [
  ['a line of source positions', 'a.js:1:1 '],
  ['a line of brackets', '(((('],
  ['first lines of type errors', 'error TS1: \\n'],
  ['a line of spaces', '    '],
  ['three million TAP results', 'ok 1 - a\\n'],
  ['terminal escapes', '\\u001b[31m\\u009b2J\\u202e'],
];
