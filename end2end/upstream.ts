// A service that widgets ask: on this machine, and as well behaved as a test wants it.

import { type IncomingMessage, type RequestListener, type Server, type ServerResponse, createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** What a service answers: a body that is sent as JSON, or a function that does as it likes. */
export type Answer = object | ((request: IncomingMessage, response: ServerResponse) => void);

export class Upstream {
  /** What is answered, by path; anything else is 404. */
  readonly answers = new Map<string, Answer>();
  /** The paths that were asked for, in order. */
  readonly asked: string[] = [];

  private constructor(private readonly server: Server, readonly url: string) {}

  /** Starts a service; with a key and a certificate it speaks TLS. */
  static async start(tls?: { key: string; cert: string }): Promise<Upstream> {
    let upstream: Upstream;
    const listener: RequestListener = (request, response) => upstream.answer(request, response);
    const server = tls ? createTlsServer(tls, listener) : createServer(listener);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    upstream = new Upstream(server, `http${tls ? 's' : ''}://127.0.0.1:${port}`);
    return upstream;
  }

  get port(): string {
    return new URL(this.url).port;
  }

  /** How often a path was asked for. */
  count(path: string): number {
    return this.asked.filter((asked) => asked === path).length;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const path = new URL(request.url ?? '/', this.url).pathname;
    this.asked.push(path);
    const answer = this.answers.get(path);
    if (typeof answer === 'function') return answer(request, response);
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? {}));
  }
}

/** Answers with a status and nothing else. */
export function status(code: number): Answer {
  return (_, response) => {
    response.writeHead(code);
    response.end();
  };
}

/** Never answers. */
export function silence(): void {
  // The connection stays open until one of the sides has enough.
}
