import type { HeaderMap } from './header-map.ts';

/** The first lines of a reply. */
export interface ReplyHead {
  /** 200..599. */
  readonly status: number;
  readonly statusText: string;
  readonly url: string;
  readonly headers: HeaderMap;
}

/** What is used here of the Fetch standard's `Response` (§2.2.6): one reply, whose body is read once. */
export class HttpReply implements ReplyHead {
  readonly status: number;
  readonly statusText: string;
  readonly url: string;
  readonly headers: HeaderMap;
  /** Null where it has none. */
  readonly body: ReadableStream<Uint8Array> | null;

  constructor({ status, statusText, url, headers }: ReplyHead, body: ReadableStream<Uint8Array> | null) {
    this.status = status;
    this.statusText = statusText;
    this.url = url;
    this.headers = headers;
    this.body = body;
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    const pieces: Uint8Array[] = [];
    for await (const piece of this.body ?? []) pieces.push(piece);
    const all = new Uint8Array(pieces.reduce((sum, { byteLength }) => sum + byteLength, 0));
    let at = 0;
    for (const piece of pieces) {
      all.set(piece, at);
      at += piece.byteLength;
    }
    return all.buffer;
  }

  /** As UTF-8; bytes that are none are replaced. */
  async text(): Promise<string> {
    return new TextDecoder().decode(await this.arrayBuffer());
  }

  /** Throws a SyntaxError for what is no JSON. */
  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }
}

/** A body that is one text. */
export function bodyOf(text: string): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => {
      if (text !== '') controller.enqueue(new TextEncoder().encode(text));
      controller.close();
    },
  });
}
