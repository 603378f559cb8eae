import type { WorkspaceFiles } from '../shown-files/workspace-files.ts';
import { pathInInfo, pathOnLine, pathsInSentence } from './answer-paths.ts';
import { closesFence, endOfFence, fenceOn, withoutIndent, type Fence } from './fences.ts';
import { FileDrafts, type FileChange } from './file-drafts.ts';
import { placeBlock } from './place-block.ts';
import { beginsBlock, readBlock } from './search-replace.ts';

/** The changes in an answer. */
export interface Answer {
  /** In the order in which the answer first names the files. */
  readonly changes: readonly FileChange[];
  /** One sentence for each part that could not be read. */
  readonly problems: readonly string[];
}

/**
 * Parses the edit blocks and whole files of an answer; all other text is ignored. A block belongs to the path above it,
 * else to the file named last that contains its old text. If a file has edit blocks, its whole text is ignored.
 */
export function parseAnswer(answer: string, files: WorkspaceFiles): Answer {
  return new AnswerReader(answer, files).read();
}

class AnswerReader {
  readonly #lines: readonly string[];
  readonly #files: WorkspaceFiles;
  readonly #drafts = new FileDrafts();
  readonly #problems: string[] = [];
  /** Paths named so far, the latest first. */
  #named: string[] = [];
  /** The path on the line above; blank lines and the fence around edit blocks do not count. */
  #label: string | undefined;
  /** The open fence around edit blocks. */
  #outerFence: Fence | undefined;

  constructor(answer: string, files: WorkspaceFiles) {
    this.#lines = answer.replace(/\r\n?/g, '\n').split('\n');
    this.#files = files;
  }

  read(): Answer {
    for (let at = 0; at < this.#lines.length; at++) {
      const line = this.#lines[at]!;
      const fence = fenceOn(line);
      if (beginsBlock(line)) at = this.#readBlock(at);
      else if (this.#outerFence !== undefined && closesFence(line, this.#outerFence))
        this.#outerFence = undefined;
      else if (fence !== undefined) at = this.#readFence(at, fence);
      else if (line.trim() !== '') this.#readText(line);
    }
    return { changes: this.#drafts.changes(), problems: [...this.#problems, ...this.#drafts.problems()] };
  }

  #readText(line: string): void {
    const label = pathOnLine(line);
    this.#label = label === undefined ? undefined : this.#name(label);
    if (label !== undefined) return;
    const isIntroduction = line.trimEnd().endsWith(':');
    const isNamed = (path: string): boolean =>
      isIntroduction || this.#files.readText(this.#files.resolvePath(path)) !== undefined;
    for (const path of pathsInSentence(line).filter(isNamed)) this.#name(path);
  }

  /** Returns the index of the block's last line. */
  #readBlock(at: number): number {
    const block = readBlock(this.#lines, at);
    if ('problem' in block) {
      const path = this.#label ?? this.#named[0];
      this.#problems.push(
        `A block${path === undefined ? '' : ` of ${path}`} ${block.problem} and was ignored.`,
      );
      return block.end;
    }
    const suffix = pathOnLine(block.suffix);
    if (suffix !== undefined) this.#label = this.#name(suffix);
    const paths = this.#label === undefined ? this.#named : [this.#label];
    const placed = placeBlock(block, paths, this.#files);
    if (placed === undefined) this.#problems.push('A block without a path was ignored.');
    else this.#drafts.add(this.#name(placed.path), placed.edit);
    this.#label = undefined;
    return block.end;
  }

  /** Reads a fence around edit blocks, or with a whole file below a path; any other is skipped. Returns the index of the last line read. */
  #readFence(at: number, fence: Fence): number {
    const inInfo = pathInInfo(fence.info);
    if (inInfo !== undefined) this.#label = this.#name(inInfo);
    const path = this.#label ?? '';
    const end = endOfFence(this.#lines, at, fence, isMarkdown(path, fence));
    const body = this.#lines.slice(at + 1, end === -1 ? undefined : end);
    if (this.#holdsBlocks(body)) {
      this.#outerFence = fence;
      return at;
    }
    if (end === -1) return this.#skipOpenFence(at);
    this.#readWholeFile(withoutIndent(body, fence.indent));
    this.#label = undefined;
    return end;
  }

  /** Whether a fence contains edit blocks: below a label, at its beginning; without one, anywhere. */
  #holdsBlocks(body: readonly string[]): boolean {
    if (this.#label === undefined) return body.some(beginsBlock);
    const first = body.find((line) => line.trim() !== '' && pathOnLine(line) === undefined);
    return first !== undefined && beginsBlock(first);
  }

  /** Handles a fence that is not closed: if it holds a file, the answer was cut off; otherwise reading continues. */
  #skipOpenFence(at: number): number {
    if (this.#label === undefined) return at;
    this.#problems.push(`The text of ${this.#label} is incomplete and was ignored.`);
    return this.#lines.length;
  }

  /** Drops a first line that only names the file, unless the file has that line. */
  #readWholeFile(body: readonly string[]): void {
    const first = pathOnLine(body[0] ?? '');
    const path = this.#label ?? (first === undefined ? undefined : this.#name(first));
    if (path === undefined) return;
    const isLabel = first !== undefined && this.#files.resolvePath(first) === path;
    const isKept = this.#files.readText(path)?.startsWith(body[0]!) ?? false;
    this.#drafts.replace(path, `${body.slice(isLabel && !isKept ? 1 : 0).join('\n')}\n`);
  }

  /** Records a path as named last; returns it relative to the root. */
  #name(written: string): string {
    const path = this.#files.resolvePath(written);
    this.#named = [path, ...this.#named.filter((other) => other !== path)];
    return path;
  }
}

function isMarkdown(path: string, { info }: Fence): boolean {
  return /\.(?:md|mdx|markdown)$/i.test(path) || /^(?:md|mdx|markdown)\b/i.test(info);
}
