const IDENTITY = / @[0-9a-f]{10}(?: ~[0-9a-f]+)?$/;

/** An edit for people: its signature without the hash that tells equal texts at different places apart. */
export function shownEdit(signature: string): string {
  return signature.replace(IDENTITY, '');
}
