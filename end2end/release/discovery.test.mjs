// Discovery at a real API server of Kubernetes: routes appear on the page and leave it, also after a restart of the server.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';

import { ApiServer } from './api-server.mjs';
import { documents } from './chart.mjs';
import { RELEASE, VERSION, freePort, run, startProgram, temporaryFolder } from './harness.mjs';

/** How long a change may take until it is on the page. */
const LIMIT = 1000;
/** How long something may take on a busy machine. */
const PATIENCE = 60_000;

const annotations = { 'gethomepage.dev/enabled': 'true', 'gethomepage.dev/group': 'Cluster' };
const named = (name) => ({ name, namespace: 'default', annotations });
const ROUTES = {
  ingress: {
    apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', metadata: named('from-ingress'),
    spec: { rules: [{ host: 'ingress.example', http: { paths: [
      { path: '/films', pathType: 'Prefix', backend: { service: { name: 'films', port: { number: 80 } } } },
    ] } }], tls: [{ hosts: ['ingress.example'] }] },
  },
  httproute: {
    apiVersion: 'gateway.networking.k8s.io/v1', kind: 'HTTPRoute', metadata: named('from-httproute'),
    spec: { parentRefs: [{ name: 'front', sectionName: 'https' }], hostnames: ['httproute.example'], rules: [{ backendRefs: [{ name: 'films', port: 80 }] }] },
  },
  ingressroute: {
    apiVersion: 'traefik.io/v1alpha1', kind: 'IngressRoute', metadata: named('from-ingressroute'),
    spec: { entryPoints: ['websecure'], routes: [{ kind: 'Rule', match: 'Host(`ingressroute.example`)', services: [{ name: 'films', port: 80 }] }] },
  },
};
const ADDRESSES = ['https://ingress.example/films', 'https://httproute.example', 'https://ingressroute.example'];
/** The least that an API server needs to store an IngressRoute. */
const INGRESS_ROUTES = {
  apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name: 'ingressroutes.traefik.io' },
  spec: {
    group: 'traefik.io', scope: 'Namespaced', names: { kind: 'IngressRoute', plural: 'ingressroutes', singular: 'ingressroute' },
    versions: [{ name: 'v1alpha1', served: true, storage: true, schema: {
      openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } } },
    } }],
  },
};

/** @type {ApiServer} */
let server;
let address;
let portico;

const pause = () => new Promise((done) => setTimeout(done, 50));
const page = async () => (await fetch(address)).text();

/** Waits for a page as it is wanted; the time that this took. */
async function until(isWanted, patience = PATIENCE) {
  const begin = Date.now();
  for (;;) {
    const text = await page().catch(() => '');
    if (isWanted(text)) return Date.now() - begin;
    if (Date.now() - begin > patience) throw new Error(portico.lines.slice(-20).join('\n'));
    await pause();
  }
}

/** The program of the release. `PORTICO` names another one. */
function program() {
  if (process.env.PORTICO) return process.env.PORTICO;
  const folder = temporaryFolder();
  const name = `portico-${VERSION}-linux-x86_64`;
  run('tar', '-xzf', join(RELEASE, `${name}.tar.gz`), '-C', folder);
  return join(folder, name, 'portico');
}

before(async () => {
  server = await ApiServer.start();
  const [definition] = documents(readFileSync(join(process.env.KUBERNETES, 'httproutes.yaml'), 'utf8'));
  for (const resource of [definition, INGRESS_ROUTES]) assert.equal((await server.apply(resource)).status, 201);
  const begin = Date.now();
  for (const path of ['/apis/gateway.networking.k8s.io/v1/httproutes', '/apis/traefik.io/v1alpha1/ingressroutes']) {
    while ((await server.call('GET', path)).status !== 200) {
      assert.ok(Date.now() - begin < PATIENCE, path);
      await pause();
    }
  }
  const folder = temporaryFolder();
  const port = await freePort();
  address = `http://127.0.0.1:${port}/`;
  writeFileSync(join(folder, 'kube.yml'), readFileSync(server.kubeconfig));
  writeFileSync(join(folder, 'conf.yml'), 'appConfig: { discovery: [{ kubernetes: kube.yml, name: test, add: live }] }\nsections: []\n');
  portico = startProgram(program(), ['serve'], { env: { ...process.env, USER_DATA_DIR: folder, PORT: String(port), HOST: '127.0.0.1' } });
  await until(() => portico.lines.some((line) => line.includes('0 found')));
});

async function appear() {
  for (const [at, route] of Object.values(ROUTES).entries()) {
    assert.equal((await server.apply(route)).status, 201);
    const took = await until((text) => text.includes(ADDRESSES[at]));
    assert.ok(took < LIMIT, `${route.kind}: ${took} ms`);
  }
}

async function disappear() {
  for (const [at, route] of Object.values(ROUTES).entries()) {
    assert.equal((await server.call('DELETE', await server.pathOf(route))).status, 200);
    const took = await until((text) => text !== '' && !text.includes(ADDRESSES[at]));
    assert.ok(took < LIMIT, `${route.kind}: ${took} ms`);
  }
}

test('routes are on the page within a second, and gone as soon', async () => {
  await appear();
  await disappear();
});

test('the pods of a service are the state of its tile', async () => {
  await server.apply({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'films' }, spec: { selector: { app: 'films' }, ports: [{ port: 80 }] } });
  await server.apply({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace: 'default' } });
  const pod = (name) => ({
    apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'default', labels: { app: 'films' } },
    spec: { automountServiceAccountToken: false, containers: [{ name: 'films', image: 'films' }] },
  });
  await server.apply(ROUTES.ingress);
  await until((text) => text.includes(ADDRESSES[0]));
  const opened = new AbortController();
  // A page that is open has its tiles checked.
  const stream = fetch(`${address}events`, { signal: opened.signal }).catch(() => undefined);
  const tip = async () => (await fetch(`${address}events/status?item=0-0`)).text();
  const says = async (words) => {
    const begin = Date.now();
    for (let text = await tip(); !text.includes(words); text = await tip()) {
      assert.ok(Date.now() - begin < 10_000, text);
      await pause();
    }
  };
  await says('the container is stopped');
  for (const name of ['films-1', 'films-2']) {
    const { status, body } = await server.apply(pod(name));
    assert.equal(status, 201, body.message);
  }
  await says('the container is starting');
  const ready = (status) => JSON.stringify({ status: { phase: 'Running', conditions: [{ type: 'Ready', status }] } });
  const patch = (name, status) => server.call(
    'PATCH', `/api/v1/namespaces/default/pods/${name}/status`, ready(status), 'application/merge-patch+json');
  await patch('films-1', 'True');
  await says('1 of 2 ready');
  await patch('films-2', 'True');
  await says('2 of 2 ready');
  opened.abort();
  await stream;
  await server.call('DELETE', await server.pathOf(ROUTES.ingress));
  await until((text) => text !== '' && !text.includes(ADDRESSES[0]));
});

test('after a restart of the API server, it is followed again', async () => {
  await server.restart();
  await appear();
  await disappear();
});
