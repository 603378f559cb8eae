/** What an attack is after. */
export type AttackKind =
  | 'write'
  | 'link'
  | 'history'
  | 'secret'
  | 'environment'
  | 'proc'
  | 'mount'
  | 'socket'
  | 'network'
  | 'process';

/**
 * One try to get out. Its shell command works on the variables of a ground; whether it won is seen on the ground
 * alone, or by `won-42` in its output where there is nothing else to see.
 */
export interface Attack {
  readonly name: string;
  readonly kind: AttackKind;
  readonly command: string;
}

/** Attacks of one kind, by name. */
export function attacksOf(kind: AttackKind, commands: Readonly<Record<string, string>>): Attack[] {
  return Object.entries(commands).map(([name, command]) => ({ name, kind, command }));
}

/** A Node program as a shell command; it must hold no single quote. */
export function node(program: string): string {
  return `node -e '${program}'`;
}
