import { DIALECTS, type HookName } from '../gate/dialects/index.ts';

const CALL = ['gate', 'check', '--hook'];

/**
 * The hook of `gate check --hook NAME` without other options, as agents call it at every stop: then nothing need be parsed.
 * Undefined for every other command line.
 */
export function hookOfCheck(argv: readonly string[]): HookName | undefined {
  const [name, ...rest] = argv.slice(CALL.length);
  const isCall = CALL.every((word, index) => argv[index] === word) && rest.length === 0;
  return isCall && name !== undefined && Object.hasOwn(DIALECTS, name) ? (name as HookName) : undefined;
}
