// The worker's global scope, its settings, and the meaning of paths.

export const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
export const { version, base, files } = PORTICO;

/** The path below the dashboard's prefix; null elsewhere. @param {string} pathname */
export const below = (pathname) => (pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : null);
/** @param {string} path */
export const isPage = (path) => /^\/((home|minimal|workspace)(\/.*)?)?$/.test(path);
/** Program files, and the pictures, fonts and style sheets of pages. @param {string} path */
export const isFile = (path) =>
  isProgram(path) || (/^\/(icons|item-icons|widget-picture)\/|\.(avif|css|gif|ico|jpe?g|otf|png|svg|ttf|webp|woff2?)$|^\/manifest\.json$/i.test(path) && !/^\/api\//.test(path));
/** @param {string} path */
export const isProgram = (path) => files.includes(path.slice(1));
/** The name of a file without its hash. @param {string} name */
export const stem = (name) => name.replace(/-[0-9a-f]{10,16}(?=[._])/, '');
