// Whether the server responds, and requests to it.

/** How long a server that did not respond counts as away, for panels and for files, in milliseconds. Panels then do not wait
 * for it, and files come from copies. */
export const AWAY_FOR_PANELS = 10_000;
export const AWAY_FOR_FILES = 60_000;

let lostAt = 0;

/** Whether the server failed to respond in the last milliseconds. @param {number} milliseconds */
export const wasLostWithin = (milliseconds) => Date.now() - lostAt < milliseconds;
/** Notes that the server did not respond in time. */
export function noteLost() {
  lostAt = Date.now();
}
/** Notes that the server has responded. */
export function noteReached() {
  lostAt = 0;
}

/**
 * The server's response to a navigation. The browser may have requested it while it was starting the worker. If the
 * navigation were left to the browser, it would send a second request.
 * @param {FetchEvent} event
 */
export const fromServer = async (event) => /** @type {Response | undefined} */ (await event.preloadResponse) ?? fetch(event.request);

/** @param {number} milliseconds @returns {Promise<undefined>} */
export const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
