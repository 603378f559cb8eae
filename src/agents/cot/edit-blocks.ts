import type { AnsweredFiles } from './answered-files.ts';
import { pathInInfo, pathOnLine, pathsInSentence } from './answer-paths.ts';
import { closesFence, endOfFence, fenceOn, withoutIndent, type Fence } from './fences.ts';
import { FileDrafts, type FileChange } from './file-drafts.ts';
import { placeBlock } from './place-block.ts';
import { beginsBlock, readBlock } from './search-replace.ts';

/** What an answer wants done. */
export interface Answer {
  /** In the order in which the answer comes to the files. */
  readonly changes: readonly FileChange[];
  /** What of it could not be read, each as a sentence. */
  readonly problems: readonly string[];
}

/**
 * Edit blocks and whole files in an answer; anything else is talk. A block stands below its path, else it belongs to
 * the file named last that has its old text. Where a file has edit blocks, its whole text is talk as well.
 */
export function parseAnswer(answer: string, files: AnsweredFiles): Answer {
  return new AnswerReader(answer, files).read();
}

class AnswerReader {
  readonly #lines: readonly string[];
  readonly #files: AnsweredFiles;
  readonly #drafts = new FileDrafts();
  readonly #problems: string[] = [];
  /** Paths named so far, the last first. */
  #named: string[] = [];
  /** The path right above, blank lines and the fence of edit blocks passed over. */
  #label: string | undefined;
  /** The open fence around edit blocks. */
  #dress: Fence | undefined;

  constructor(answer: string, files: AnsweredFiles) {
    this.#lines = answer.replace(/\r\n?/g, '\n').split('\n');
    this.#files = files;
  }

  read(): Answer {
    for (let at = 0; at < this.#lines.length; at++) {
      const line = this.#lines[at]!;
      const fence = fenceOn(line);
      if (beginsBlock(line)) at = this.#takeBlock(at);
      else if (this.#dress !== undefined && closesFence(line, this.#dress)) this.#dress = undefined;
      else if (fence !== undefined) at = this.#takeFence(at, fence);
      else if (line.trim() !== '') this.#takeTalk(line);
    }
    return { changes: this.#drafts.changes(), problems: [...this.#problems, ...this.#drafts.problems()] };
  }

  #takeTalk(line: string): void {
    const label = pathOnLine(line);
    this.#label = label === undefined ? undefined : this.#name(label);
    if (label !== undefined) return;
    const announces = line.trimEnd().endsWith(':');
    const isMeant = (path: string): boolean =>
      announces || this.#files.textOf(this.#files.pathOf(path)) !== undefined;
    for (const path of pathsInSentence(line).filter(isMeant)) this.#name(path);
  }

  /** Index of the block's last line. */
  #takeBlock(at: number): number {
    const block = readBlock(this.#lines, at);
    if ('problem' in block) {
      const path = this.#label ?? this.#named[0];
      this.#problems.push(
        `A block${path === undefined ? '' : ` of ${path}`} ${block.problem} and was left out.`,
      );
      return block.end;
    }
    const suffix = pathOnLine(block.suffix);
    if (suffix !== undefined) this.#label = this.#name(suffix);
    const paths = this.#label === undefined ? this.#named : [this.#label];
    const placed = placeBlock(block, paths, this.#files);
    if (placed === undefined) this.#problems.push('A block stands below no path and was left out.');
    else this.#drafts.add(this.#name(placed.path), placed.edit);
    this.#label = undefined;
    return block.end;
  }

  /** A fence around edit blocks is dress; one below a path is the whole file; any other is passed over. */
  #takeFence(at: number, fence: Fence): number {
    const inInfo = pathInInfo(fence.info);
    if (inInfo !== undefined) this.#label = this.#name(inInfo);
    const path = this.#label ?? '';
    const end = endOfFence(this.#lines, at, fence, isMarkdown(path, fence));
    const body = this.#lines.slice(at + 1, end === -1 ? undefined : end);
    if (this.#holdsBlocks(body)) {
      this.#dress = fence;
      return at;
    }
    if (end === -1) return this.#leaveOut(at);
    this.#takeWhole(withoutIndent(body, fence.indent));
    this.#label = undefined;
    return end;
  }

  /** Below a label the first line that is not its repetition decides; without one any block does. */
  #holdsBlocks(body: readonly string[]): boolean {
    if (this.#label === undefined) return body.some(beginsBlock);
    const first = body.find((line) => line.trim() !== '' && pathOnLine(line) === undefined);
    return first !== undefined && beginsBlock(first);
  }

  /** A fence that never ends: of a file, the answer was cut off; of talk, what follows may still be of use. */
  #leaveOut(at: number): number {
    if (this.#label === undefined) return at;
    this.#problems.push(`The text of ${this.#label} does not end and was left out.`);
    return this.#lines.length;
  }

  /** A first line that only names the file is no part of it, unless the file has that line. */
  #takeWhole(body: readonly string[]): void {
    const first = pathOnLine(body[0] ?? '');
    const path = this.#label ?? (first === undefined ? undefined : this.#name(first));
    if (path === undefined) return;
    const isLabel = first !== undefined && this.#files.pathOf(first) === path;
    const isKept = this.#files.textOf(path)?.startsWith(body[0]!) ?? false;
    this.#drafts.replace(path, `${body.slice(isLabel && !isKept ? 1 : 0).join('\n')}\n`);
  }

  /** Remembers a path as named last; returns it as the repository has it. */
  #name(written: string): string {
    const path = this.#files.pathOf(written);
    this.#named = [path, ...this.#named.filter((other) => other !== path)];
    return path;
  }
}

function isMarkdown(path: string, { info }: Fence): boolean {
  return /\.(?:md|mdx|markdown)$/i.test(path) || /^(?:md|mdx|markdown)\b/i.test(info);
}
