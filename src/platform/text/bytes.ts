const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** A number of bytes with its unit and at most one decimal: `340 B`, `1.2 MiB`, `4 GiB`. */
export function renderBytes(bytes: number): string {
  let unit = 0;
  let size = bytes;
  for (; size >= 1023.95 && unit < UNITS.length - 1; unit++) size /= 1024;
  return `${Number(size.toFixed(1))} ${UNITS[unit]!}`;
}
