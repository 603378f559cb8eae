import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { execa } from 'execa';
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node';

/** The language server to start. */
export interface LanguageServer {
  /** The program of a compiler that speaks the Language Server Protocol, as `tsc --lsp --stdio` of TypeScript 7 does. */
  readonly bin: string;
  /** Absolute path of the tree. */
  readonly root: string;
  /** Absolute path of the configuration file that applies to the files. */
  readonly config: string;
  /** `performance.now()` at which pending requests are rejected. */
  readonly deadline: number;
}

/** A connection to a running language server. */
export interface LanguageClient {
  /** Rejects when the server ends, or does not answer before the deadline. */
  request<T>(method: string, params: object): Promise<T>;
  notify(method: string, params: object): void;
  /** Ends the server. Never rejects. */
  close(): void;
}

const START_MS = 15_000;
/** A soft limit: the server collects garbage more often as its memory approaches the limit. */
const MEMORY = '3GiB';

/** Types of packages that the project lacks are not downloaded: the check would not see them. */
const NO_DOWNLOADS = {
  disableAutomaticTypeAcquisition: true,
  tsserver: { automaticTypeAcquisition: { enabled: false } },
};

/** Starts a server and initialises the connection. Rejects if that takes more than 15 s or the server ends. */
export async function startLanguageServer({
  bin,
  root,
  config,
  deadline,
}: LanguageServer): Promise<LanguageClient> {
  const server = execa(process.execPath, [bin, '--lsp', '--stdio'], {
    cwd: root,
    env: { GOMEMLIMIT: MEMORY },
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'ignore',
    buffer: false,
    encoding: 'buffer',
    reject: false,
  });
  server.stdin.on('error', () => {});
  const connection = createMessageConnection(
    new StreamMessageReader(server.stdout),
    new StreamMessageWriter(server.stdin),
  );
  const close = (): void => {
    connection.dispose();
    server.kill('SIGKILL');
  };
  const gone = new Promise<never>((_, reject) => {
    void server.then(({ originalMessage = 'the language server ended' }) =>
      reject(new Error(originalMessage)),
    );
    connection.onClose(() => reject(new Error('the language server closed its output')));
  });
  gone.catch(() => {});
  const ask = <T>(method: string, params: object, until: number): Promise<T> =>
    before(until, method, Promise.race([connection.sendRequest<T>(method, params), gone]));
  connection.onError(() => {});
  connection.onRequest('workspace/configuration', ({ items }: { items: readonly unknown[] }) =>
    items.map(() => ({ ...NO_DOWNLOADS, customConfigFileName: basename(config) })),
  );
  connection.onRequest(() => null);
  connection.listen();
  try {
    const started = Math.min(deadline, performance.now() + START_MS);
    await ask('initialize', { ...introduction(root), processId: process.pid }, started);
  } catch (error) {
    close();
    throw error;
  }
  const notify = (method: string, params: object): void => {
    connection.sendNotification(method, params).catch(() => {});
  };
  notify('initialized', {});
  return { request: (method, params) => ask(method, params, deadline), notify, close };
}

function introduction(root: string): object {
  const rootUri = pathToFileURL(root).href;
  return {
    rootUri,
    workspaceFolders: [{ uri: rootUri, name: basename(root) }],
    capabilities: {
      general: { positionEncodings: ['utf-16'] },
      workspace: { configuration: true },
      textDocument: {
        diagnostic: { relatedInformation: true },
        publishDiagnostics: { relatedInformation: true },
        codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix'] } } },
      },
    },
  };
}

async function before<T>(until: number, method: string, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new Error(`the language server did not answer ${method} in time`);
    timer = setTimeout(() => reject(error), Math.max(0, until - performance.now()));
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
