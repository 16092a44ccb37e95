// Replaces a worker that is no longer wanted: ours, while `enableServiceWorker` is off, or that of Dashy, which would show
// its own pages forever. It deletes everything that the previous worker has kept, and removes itself. The server puts its
// settings in front, as `PORTICO`.

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const OURS = `portico ${PORTICO.base}/ `;

worker.addEventListener('install', () => worker.skipWaiting());

worker.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      const { scope } = worker.registration;
      const names = await caches.keys().catch(() => []);
      const isOurs = names.some((name) => name.startsWith(OURS));
      const kept = names.filter((name) => name.startsWith(OURS) || (name.startsWith('workbox-') && name.endsWith(scope)));
      await Promise.all(kept.map((name) => caches.delete(name)));
      await worker.registration.unregister();
      // Our own worker showed pages of the server, so they need no reload.
      if (isOurs) return;
      for (const client of await worker.clients.matchAll({ type: 'window' })) await client.navigate(client.url).catch(() => null);
    })(),
  );
});
