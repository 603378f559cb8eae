/** Target of an attack. */
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
  | 'process'
  | 'kernel'
  | 'machine'
  | 'private file'
  | 'system write'
  | 'service'
  | 'variable';

/**
 * One attempt to leave the sandbox. Its shell command uses the variables of a testbed. Success is seen by damage to the
 * testbed, or by `succeeded-42` in the output if the attack leaves no trace.
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

/** A shell command that runs a Node program; the program must not contain single quotes. */
export function node(program: string): string {
  return `node -e '${program}'`;
}
