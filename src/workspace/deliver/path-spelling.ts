/** Names of devices of Windows, with any ending. */
const DEVICE =
  /(?:^|\/)(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$) *(?:\.[^/]*)?(?=\/|$)/iu;
/** The short name that Windows gives to a file with a long one: `PACKAG~1.JSO` is package.json. */
const SHORT_NAME = /(?:^|\/)[^/.]{1,6}~\d{1,6}(?:\.[^/.]{0,3})?(?=\/|$)/;
/** Characters that Windows does not have in names; what follows a colon is a stream of the file before it. */
const NOT_ON_WINDOWS = /[<>:"|?*]/;

/** A path as a file system compares it that ignores case and the way in which a character is composed. */
export function foldPath(path: string): string {
  // Upper case first, because it writes out the letters that lower case leaves alone, such as the long s.
  return path.normalize('NFKC').toUpperCase().normalize('NFKC').toLowerCase().replaceAll('ς', 'σ');
}

/** True for a path that Windows cannot have, or takes for a device, a part of another file, or another file. */
export function isOddOnWindows(path: string): boolean {
  return DEVICE.test(path) || NOT_ON_WINDOWS.test(path) || SHORT_NAME.test(path);
}
