// The chart as its tests use it.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { parseAllDocuments } from '../../tools/node_modules/yaml/dist/index.js';
import { ROOT, run, temporaryFolder } from './harness.mjs';

export const CHART = join(ROOT, 'deploy/helm/portico');
/** Values with which the chart has every kind. */
export const EVERYTHING = {
  replicas: 2,
  config: { 'conf.yml': 'pageInfo: { title: Home }\nsections: []\n' },
  env: { BASE_URL: '/start', LOG_LEVEL: 'debug' },
  secrets: { SESSION_SECRET: { name: 'portico', key: 'session' } },
  ingress: { enabled: true, className: 'nginx', host: 'dash.example.com', tlsSecret: 'certificate' },
  httpRoute: { enabled: true, parentRefs: [{ name: 'gateway' }] },
  networkPolicy: { enabled: true, from: [{ namespaceSelector: {} }] },
};
/** Values for several servers with a database. */
export const DATABASE = {
  replicas: 3,
  secrets: { DATABASE_URL: { name: 'portico', key: 'database' }, SESSION_SECRET: { name: 'portico', key: 'session' } },
};

/** The path of a file with these values. */
export function valuesFile(content) {
  const file = join(temporaryFolder(), 'values.yaml');
  // JSON is YAML.
  writeFileSync(file, JSON.stringify(content));
  return file;
}

/** The resources of the chart. */
export function render(content = {}) {
  return documents(run('helm', 'template', 'home', CHART, '--values', valuesFile(content)));
}

/** The plain manifests; with `discovery`, after the command that they name for it. */
export function manifests({ discovery = false } = {}) {
  const folder = join(ROOT, 'deploy');
  const text = readFileSync(join(folder, 'kubernetes.yaml'), 'utf8');
  const [, command] = text.match(/^# (sed .*) \| kubectl/m);
  return documents(discovery ? run('sh', '-c', `cd '${folder}' && ${command}`) : text);
}

/** The documents of a text in YAML that are not empty. */
export function documents(text) {
  return parseAllDocuments(text).map((found) => found.toJS()).filter(Boolean);
}
