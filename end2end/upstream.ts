// A local service for widgets, whose responses a test controls.

import { type IncomingMessage, type RequestListener, type Server, type ServerResponse, createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** The response of a service: a body that is sent as JSON, or a function that responds itself. */
export type ServiceResponse = object | ((request: IncomingMessage, response: ServerResponse) => void);

export class Upstream {
  /** Responses by path; any other path is 404. */
  readonly responses = new Map<string, ServiceResponse>();
  /** The requested paths, in order. */
  readonly requested: string[] = [];

  private constructor(private readonly server: Server, readonly url: string) {}

  /** Starts a service; with a key and a certificate, over TLS. */
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

  /** How often a path was requested. */
  count(path: string): number {
    return this.requested.filter((requested) => requested === path).length;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const path = new URL(request.url ?? '/', this.url).pathname;
    this.requested.push(path);
    const answer = this.responses.get(path);
    if (typeof answer === 'function') return answer(request, response);
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? {}));
  }
}

/** Responds with a status only. */
export function status(code: number): ServiceResponse {
  return (_, response) => {
    response.writeHead(code);
    response.end();
  };
}

/** Never responds. */
export function silence(): void {
  // The connection stays open until one side closes it.
}
