// The chart and the plain manifests at a real API server of Kubernetes.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';

import { ApiServer } from './api-server.mjs';
import { CHART, DATABASE, EVERYTHING, documents, manifests, render, valuesFile } from './chart.mjs';
import { run } from './harness.mjs';

/** Values that change what the others do not. */
const REST = {
  image: { repository: 'registry.example.com/portico', tag: 'latest', pullPolicy: 'Always' },
  imagePullSecrets: [{ name: 'registry' }],
  persistence: { size: '2Gi', storageClass: 'fast', accessMode: 'ReadWriteOncePod' },
  env: { PORT_NAME: 1, ENABLE_API: true },
  service: { type: 'LoadBalancer', port: 8080 },
  ingress: { enabled: true, annotations: { 'example.com/limit': '8' } },
  httpRoute: { enabled: true, parentRefs: [{ name: 'gateway', namespace: 'gateways', sectionName: 'https' }], hostnames: ['*.example.com'] },
  networkPolicy: { enabled: true, from: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } }] },
  resources: { requests: { cpu: '100m' } },
  podAnnotations: { 'example.com/scrape': 'true' },
  nodeSelector: { 'kubernetes.io/arch': 'arm64' },
  tolerations: [{ key: 'example.com/slow', operator: 'Exists', effect: 'NoSchedule' }],
  affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [
    { weight: 1, preference: { matchExpressions: [{ key: 'example.com/disk', operator: 'In', values: ['ssd'] }] } },
  ] } },
};
const VALUES = {
  nothing: {},
  everything: EVERYTHING,
  'a database': DATABASE,
  'the rest': REST,
  'a claim of their own, and a port of each node': {
    persistence: { existingClaim: 'mine' }, service: { type: 'NodePort' }, networkPolicy: { enabled: false },
  },
  'discovery': { discovery: { enabled: true } },
  'a budget in percent': { ...DATABASE, podDisruptionBudget: { maxUnavailable: '50%' } },
};

/** @type {ApiServer} */
let server;

before(async () => {
  server = await ApiServer.start();
  const [definition] = documents(readFileSync(join(process.env.KUBERNETES, 'httproutes.yaml'), 'utf8'));
  assert.equal((await server.apply(definition)).status, 201);
  // The server warns of pods that break the strictest of its rules (Pod Security Standards).
  const labels = { 'pod-security.kubernetes.io/warn': 'restricted' };
  await server.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default', labels } });
  const begin = Date.now();
  while ((await server.call('GET', '/apis/gateway.networking.k8s.io/v1/httproutes')).status !== 200) {
    assert.ok(Date.now() - begin < 30_000, 'the server does not learn of HTTPRoute');
    await new Promise((done) => setTimeout(done, 200));
  }
});

async function accepts(resources) {
  for (const resource of resources) {
    const { status, body, warnings } = await server.apply(resource, { dryRun: true });
    assert.ok(status < 300, `${resource.kind}: ${body.message}`);
    assert.deepEqual(warnings, [], resource.kind);
  }
}

for (const [name, values] of Object.entries(VALUES)) {
  test(`it accepts the chart with ${name}`, () => accepts(render(values)));
}

for (const discovery of [false, true]) {
  test(`it accepts the plain manifests${discovery ? ' with discovery' : ''}`, () => accepts(manifests({ discovery })));
}

test('it refuses a misspelled field, and warns of a pod with too many rights', async () => {
  const all = render(EVERYTHING);
  for (const [kind, pattern, replacement] of [
    ['Deployment', 'readOnlyRootFilesystem', 'readOnlyRootFileSystem'],
    ['Service', 'targetPort', 'targetport'],
    ['Ingress', 'pathType', 'pathtype'],
    ['NetworkPolicy', 'policyTypes', 'policyType'],
    ['PodDisruptionBudget', 'maxUnavailable', 'maxUnavailableX'],
    ['HTTPRoute', 'backendRefs', 'backendRef'],
  ]) {
    const text = JSON.stringify(all.find((found) => found.kind === kind));
    assert.ok(text.includes(pattern), `${kind} ${pattern}`);
    const { status, body } = await server.apply(JSON.parse(text.replaceAll(pattern, replacement)), { dryRun: true });
    assert.ok(status >= 400 && body.message.includes(replacement), `${kind}: ${status} ${body.message}`);
  }
  const text = JSON.stringify(all.find((found) => found.kind === 'Deployment')).replace('"runAsNonRoot":true', '"runAsNonRoot":false');
  const { warnings } = await server.apply(JSON.parse(text), { dryRun: true });
  assert.match(warnings.join(), /would violate PodSecurity/);
});

test('Helm installs, upgrades, rolls back and uninstalls the chart, and finds its volume again', async () => {
  const helm = (...words) => run('helm', '--kubeconfig', server.kubeconfig, ...words);
  const get = (path) => server.call('GET', path);
  const deployment = async () => (await get('/apis/apps/v1/namespaces/default/deployments/home-portico')).body.spec;
  const storage = async () => Object.keys((await deployment()).template.spec.volumes[0]);
  const volume = async () => (await get('/api/v1/namespaces/default/persistentvolumeclaims/home-portico')).body.metadata?.uid;

  helm('install', 'home', CHART);
  const claim = await volume();
  assert.ok(claim);
  helm('upgrade', 'home', CHART, '--set', 'image.tag=next');
  helm('rollback', 'home', '1');
  assert.doesNotMatch((await deployment()).template.spec.containers[0].image, /next/);
  // To a database and back. Helm does not roll back to a volume that it was told to keep.
  helm('upgrade', 'home', CHART, '--values', valuesFile(DATABASE));
  assert.deepEqual([(await deployment()).replicas, await volume()], [3, claim]);
  assert.ok(!(await storage()).includes('persistentVolumeClaim'));
  helm('upgrade', 'home', CHART, '--reset-values');
  assert.ok((await storage()).includes('persistentVolumeClaim'));
  helm('uninstall', 'home');
  assert.deepEqual([await deployment(), await volume()], [undefined, claim]);
  helm('install', 'home', CHART);
  assert.deepEqual([(await deployment()).replicas, await volume()], [1, claim]);
});
