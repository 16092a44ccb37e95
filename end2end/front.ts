// What stands in front of a server: it passes everything on, unless a test wants it otherwise.

import { type IncomingMessage, type Server, type ServerResponse, createServer, request as ask } from 'node:http';
import type { AddressInfo } from 'node:net';

export class Front {
  /** Answers in place of the server, by path; `false` passes the request on after all. */
  readonly responses = new Map<string, (request: IncomingMessage, response: ServerResponse) => boolean | void>();
  /** Changes the texts that the server sends. */
  rewrite: ((path: string, text: string) => string) | undefined;
  /** The requested paths, in order. */
  readonly requested: string[] = [];

  private constructor(
    private readonly server: Server,
    readonly url: string,
    /** Where the server is. */
    public target: string,
  ) {}

  static async start(target: string): Promise<Front> {
    let front: Front;
    const server = createServer((request, response) => front.pass(request, response));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    front = new Front(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`, target);
    return front;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  private pass(request: IncomingMessage, response: ServerResponse): void {
    const path = new URL(request.url ?? '/', this.url).pathname;
    this.requested.push(path);
    const respond = this.responses.get(path);
    if (respond && respond(request, response) !== false) return;
    const headers = { ...request.headers, ...(this.rewrite && { 'accept-encoding': 'identity', 'if-none-match': '' }) };
    const passed = ask(this.target + request.url, { method: request.method ?? 'GET', headers }, (answered) => {
      const kind = answered.headers['content-type'] ?? '';
      if (!this.rewrite || !/^text\//.test(kind)) {
        response.writeHead(answered.statusCode ?? 502, answered.headers);
        answered.pipe(response);
        return;
      }
      const pieces: Buffer[] = [];
      answered.on('data', (piece: Buffer) => pieces.push(piece));
      answered.on('end', () => {
        const text = this.rewrite!(path, Buffer.concat(pieces).toString());
        const { 'content-length': _, etag: __, ...rest } = answered.headers;
        response.writeHead(answered.statusCode ?? 502, rest);
        response.end(text);
      });
    });
    passed.on('error', () => {
      response.writeHead(502, { 'content-type': 'text/html' });
      response.end('<h1>Bad gateway</h1>');
    });
    request.pipe(passed);
  }
}
