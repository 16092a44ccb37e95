// The chart and the plain manifests for Kubernetes.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { parse } from '../../tools/node_modules/yaml/dist/index.js';
import { CHART, DATABASE, EVERYTHING, manifests, render, valuesFile } from './chart.mjs';
import { ROOT, VERSION, run } from './harness.mjs';

/** The resources of the chart by their kind. */
const byKind = (content) => Object.fromEntries(render(content).map((found) => [found.kind, found]));

/** What both the chart and the plain manifests must have. */
function isLockedDown(deployment) {
  const { securityContext, containers: [container], automountServiceAccountToken } = deployment.spec.template.spec;
  assert.equal(securityContext.runAsNonRoot, true);
  assert.equal(automountServiceAccountToken, false);
  assert.deepEqual(container.securityContext, {
    readOnlyRootFilesystem: true, allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] },
  });
  for (const probe of ['startupProbe', 'livenessProbe']) assert.match(container[probe].httpGet.path, /\/healthz$/);
  assert.match(container.readinessProbe.httpGet.path, /\/(healthz|readyz)$/);
}

test('helm finds nothing wrong', () => {
  run('helm', 'lint', '--strict', CHART);
  run('helm', 'lint', '--strict', CHART, '--values', valuesFile(EVERYTHING));
});

test('without settings, it has a volume in which the dashboard can be edited', () => {
  const found = byKind();
  assert.deepEqual(Object.keys(found).sort(), ['Deployment', 'NetworkPolicy', 'PersistentVolumeClaim', 'Service']);
  isLockedDown(found.Deployment);
  assert.equal(found.Deployment.spec.strategy.type, 'Recreate');
  assert.equal(found.Deployment.spec.template.spec.containers[0].volumeMounts[0].readOnly, false);
});

test('with all settings, it has every kind', () => {
  const found = byKind(EVERYTHING);
  assert.deepEqual(Object.keys(found).sort(), [
    'ConfigMap', 'Deployment', 'HTTPRoute', 'Ingress', 'NetworkPolicy', 'PodDisruptionBudget', 'Service',
  ]);
  isLockedDown(found.Deployment);
  const [{ env, livenessProbe }] = found.Deployment.spec.template.spec.containers;
  assert.equal(livenessProbe.httpGet.path, '/start/healthz');
  assert.deepEqual(env.find(({ name }) => name === 'SESSION_SECRET').valueFrom.secretKeyRef, { name: 'portico', key: 'session' });
  assert.equal(found.ConfigMap.data['conf.yml'], EVERYTHING.config['conf.yml']);
  assert.equal(found.Ingress.spec.rules[0].http.paths[0].path, '/start');
});

test('discovery may read routes and pods, and nothing else', () => {
  const found = byKind({ discovery: { enabled: true } });
  const { serviceAccountName, automountServiceAccountToken } = found.Deployment.spec.template.spec;
  assert.deepEqual([serviceAccountName, automountServiceAccountToken], ['home-portico', true]);
  assert.equal(found.ServiceAccount.metadata.name, 'home-portico');
  assert.equal(found.ClusterRoleBinding.roleRef.name, found.ClusterRole.metadata.name);
  assert.deepEqual(found.ClusterRoleBinding.subjects, [{ kind: 'ServiceAccount', name: 'home-portico', namespace: 'default' }]);
  const rights = found.ClusterRole.rules.flatMap(({ apiGroups, resources, verbs }) => apiGroups.flatMap(
    (group) => resources.map((resource) => `${verbs.join()} ${resource}${group && `.${group}`}`)));
  assert.deepEqual(rights, [
    'get,list,watch ingresses.networking.k8s.io',
    'get,list,watch httproutes.gateway.networking.k8s.io',
    'get,list,watch gateways.gateway.networking.k8s.io',
    'get,list,watch ingressroutes.traefik.io',
    'get,list,watch ingressroutes.traefik.containo.us',
    'get,list,watch services',
    'get,list,watch pods',
    'get,list pods.metrics.k8s.io',
  ]);
});

test('with a database, any number of servers is updated one after the other', () => {
  const { secrets } = DATABASE;
  const found = byKind(DATABASE);
  assert.deepEqual(Object.keys(found).sort(), ['Deployment', 'NetworkPolicy', 'PodDisruptionBudget', 'Service']);
  isLockedDown(found.Deployment);
  const { strategy, template: { spec: { containers: [{ env, readinessProbe, volumeMounts }], volumes } } } = found.Deployment.spec;
  assert.equal(strategy.type, 'RollingUpdate');
  assert.deepEqual([volumes[0].emptyDir, volumeMounts[0].readOnly], [{}, false]);
  assert.equal(readinessProbe.httpGet.path, '/readyz');
  assert.equal(env.find(({ name }) => name === 'SHUTDOWN_DELAY').value, '5');
  const { env: own } = byKind({ env: { SHUTDOWN_DELAY: '20' } }).Deployment.spec.template.spec.containers[0];
  assert.deepEqual(own.filter(({ name }) => name === 'SHUTDOWN_DELAY').map(({ value }) => value), ['20']);
  for (const [content, reason] of [
    [{ secrets, config: EVERYTHING.config }, /portico store push/],
    [{ secrets: { DATABASE_URL: secrets.DATABASE_URL } }, /SESSION_SECRET/],
  ]) assert.throws(() => render(content), reason);
});

test('mistakes in the values are rejected', () => {
  for (const [content, reason] of [
    [{ ingres: {} }, /ingres/],
    [{ service: { port: 'http' } }, /port/],
    [{ secrets: { API_TOKEN: 'plain text' } }, /API_TOKEN/],
    [{ replicas: 2 }, /must not write the same files/],
  ]) {
    assert.throws(() => render(content), reason, JSON.stringify(content));
  }
});

test('all files name the version of the program', () => {
  const chart = parse(readFileSync(join(CHART, 'Chart.yaml'), 'utf8'));
  assert.deepEqual([chart.version, chart.appVersion], [VERSION, VERSION]);
  for (const name of ['compose.yaml', 'portico.container', 'kubernetes.yaml']) {
    assert.match(readFileSync(join(ROOT, 'deploy', name), 'utf8'), new RegExp(`portico:${VERSION.replaceAll('.', '\\.')}`), name);
  }
});

test('the plain manifests are as strict', () => {
  const found = manifests();
  assert.deepEqual(found.map(({ kind }) => kind), ['PersistentVolumeClaim', 'Deployment', 'Service']);
  isLockedDown(found[1]);
});

test('the plain manifests give discovery the same rights as the chart', () => {
  const found = Object.fromEntries(manifests({ discovery: true }).map((resource) => [resource.kind, resource]));
  const chart = byKind({ discovery: { enabled: true } });
  const { serviceAccountName, automountServiceAccountToken } = found.Deployment.spec.template.spec;
  assert.deepEqual([serviceAccountName, automountServiceAccountToken], [found.ServiceAccount.metadata.name, undefined]);
  assert.deepEqual(found.ClusterRole.rules, chart.ClusterRole.rules);
  assert.equal(found.ClusterRoleBinding.roleRef.name, found.ClusterRole.metadata.name);
  assert.deepEqual(found.ClusterRoleBinding.subjects, [{ kind: 'ServiceAccount', name: serviceAccountName, namespace: 'default' }]);
});
