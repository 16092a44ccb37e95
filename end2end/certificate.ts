// A self-signed certificate, for dashboards that serve HTTPS without a proxy.

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Writes key and certificate for 127.0.0.1 into a folder, and returns the environment variables with their paths. */
export function selfSigned(directory: string): Record<string, string> {
  const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1', '-subj', '/CN=127.0.0.1'];
  execFileSync('openssl', ['req', '-x509', ...kind, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  return { SSL_PRIV_KEY_PATH: key, SSL_PUB_KEY_PATH: cert };
}
