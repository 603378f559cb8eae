/** Renders a share (0..1) as a bar: `━━━━━━━───`. Full only for 1, empty only for 0. */
export function renderBar(share: number, columns: number): { readonly full: string; readonly rest: string } {
  if (columns <= 0) return { full: '', rest: '' };
  const exact = Math.max(0, Math.min(1, share)) * columns;
  const least = share > 0 ? 1 : 0;
  const most = share < 1 ? columns - 1 : columns;
  const full = Math.max(least, Math.min(most, Math.round(exact)));
  return { full: '━'.repeat(full), rest: '─'.repeat(columns - full) };
}
