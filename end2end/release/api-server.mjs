// The API server of Kubernetes with etcd, on loopback and without any node: it checks and stores resources, and starts nothing.
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';

import { freePort, run, startProgram, temporaryFolder } from './harness.mjs';

/** Where setup-kubernetes.sh puts the programs. */
const PLACE = process.env.KUBERNETES;
const START_TIMEOUT = 60_000;
const NAME = 'portico-test';

const program = (name) => (existsSync(join(PLACE, name)) ? join(PLACE, name) : name);

export class ApiServer {
  /** Starts both, and waits until resources can be stored. */
  static async start() {
    const server = new ApiServer();
    const folder = temporaryFolder();
    const [etcd, peer, port] = [await freePort(), await freePort(), await freePort()];
    const [client, peers] = [`http://127.0.0.1:${etcd}`, `http://127.0.0.1:${peer}`];
    startProgram(program('etcd'), [
      '--data-dir', join(folder, 'etcd'), '--unsafe-no-fsync', '--listen-client-urls', client, '--advertise-client-urls', client,
      '--listen-peer-urls', peers, '--initial-advertise-peer-urls', peers, '--initial-cluster', `default=${peers}`,
    ]);
    const token = randomUUID();
    writeFileSync(join(folder, 'tokens.csv'), `${token},${NAME},${NAME},system:masters\n`);
    run('openssl', 'genpkey', '-algorithm', 'RSA', '-out', join(folder, 'accounts.pem'));
    const words = [
      `--etcd-servers=${client}`, '--bind-address=127.0.0.1', '--advertise-address=127.0.0.1',
      '--endpoint-reconciler-type=none', `--secure-port=${port}`, `--cert-dir=${folder}`,
      `--token-auth-file=${join(folder, 'tokens.csv')}`, '--authorization-mode=RBAC', '--service-cluster-ip-range=10.96.0.0/16',
      '--service-account-issuer=https://portico.test', `--service-account-key-file=${join(folder, 'accounts.pem')}`,
      `--service-account-signing-key-file=${join(folder, 'accounts.pem')}`,
    ];
    Object.assign(server, { folder, port, token, words });
    await server.run();
    return server;
  }

  /** Starts the API server, and waits until resources can be stored. */
  async run() {
    this.program = startProgram(program('kube-apiserver'), this.words);
    const begin = Date.now();
    for (;;) {
      if (existsSync(join(this.folder, 'apiserver.crt'))) {
        this.certificate = readFileSync(join(this.folder, 'apiserver.crt'));
        const ready = await this.call('GET', '/readyz').catch(() => undefined);
        const namespace = ready?.status === 200 && await this.call('GET', '/api/v1/namespaces/default');
        if (namespace && namespace.status === 200) return;
      }
      if (this.program.ended || Date.now() - begin > START_TIMEOUT) throw new Error(this.program.lines.slice(-20).join('\n'));
      await new Promise((done) => setTimeout(done, 200));
    }
  }

  /** Kills the API server, and starts it again; etcd keeps what is stored. */
  async restart() {
    this.program.child.kill('SIGKILL');
    while (!this.program.ended) await new Promise((done) => setTimeout(done, 50));
    await this.run();
  }

  /** A request. The server's own certificate is the only one that is accepted. */
  call(method, path, content, type = 'application/json') {
    return new Promise((done, fail) => {
      const headers = { authorization: `Bearer ${this.token}`, accept: 'application/json', ...(content && { 'content-type': type }) };
      const sent = request({ host: '127.0.0.1', port: this.port, path, method, headers, ca: this.certificate }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part) => { text += part; });
        response.on('end', () => {
          const body = response.headers['content-type']?.startsWith('application/json') ? JSON.parse(text) : text;
          done({ status: response.statusCode, body, warnings: [response.headers.warning ?? []].flat() });
        });
        response.on('error', fail);
      });
      sent.on('error', fail);
      sent.end(content);
    });
  }

  /** The path of a resource, from what the server says about its kind. */
  async pathOf({ apiVersion, kind, metadata }) {
    const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const { body } = await this.call('GET', root);
    const found = body.resources?.find((one) => one.kind === kind && !one.name.includes('/'));
    if (!found) throw new Error(`the API server knows no ${kind} in ${apiVersion}`);
    return `${root}/${found.namespaced ? `namespaces/${metadata.namespace ?? 'default'}/` : ''}${found.name}/${metadata.name}`;
  }

  /** Applies a resource as `kubectl apply --server-side --validate=strict` does; with `dryRun`, nothing is stored. */
  async apply(resource, { dryRun = false } = {}) {
    const query = `fieldManager=${NAME}&fieldValidation=Strict&force=true${dryRun ? '&dryRun=All' : ''}`;
    // JSON is YAML.
    return this.call('PATCH', `${await this.pathOf(resource)}?${query}`, JSON.stringify(resource), 'application/apply-patch+yaml');
  }

  /** A file with which Helm connects to it. */
  get kubeconfig() {
    const file = join(this.folder, 'kubeconfig');
    const certificate = this.certificate.toString('base64');
    writeFileSync(file, JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: NAME, cluster: { server: `https://127.0.0.1:${this.port}`, 'certificate-authority-data': certificate } }],
      users: [{ name: NAME, user: { token: this.token } }],
      contexts: [{ name: NAME, context: { cluster: NAME, user: NAME } }],
      'current-context': NAME,
    }));
    return file;
  }
}
