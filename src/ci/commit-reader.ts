import type { RemoteDesk } from '../platform/git/remote.ts';
import { readBlobs } from '../workspace/snapshots/blobs.ts';
import type { TreeReader } from '../workspace/snapshots/snapshots.ts';
import { parseTree } from './listed-tree.ts';

/** Reads the files of one commit, which are listed once. */
export function readerOf(desk: RemoteDesk, commit: string): TreeReader {
  const listed = desk.git(['ls-tree', '-r', '-l', '-z', '--full-tree', commit]).then(parseTree);
  return {
    listFiles: () => listed,
    readBlobs: (ids) => readBlobs(ids, { gitDir: desk.gitDir, cwd: desk.gitDir }),
  };
}
