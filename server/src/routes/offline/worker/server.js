// Whether the server responds.

/** For how many milliseconds a server that did not respond counts as away: panels do not wait for it, and files come from
 * copies. */
export const AWAY = 10_000;
export const AWAY_FOR_FILES = 60_000;

let lostAt = 0;

/** @param {number} milliseconds */
export const wasLostWithin = (milliseconds) => Date.now() - lostAt < milliseconds;
/** The server did not respond in time. */
export function lose() {
  lostAt = Date.now();
}
/** The server has responded. */
export function reach() {
  lostAt = 0;
}

/**
 * The server's response to a navigation, which the browser requested while it was starting the worker. It has to be used
 * here: if the navigation were left to the browser, it would send a second request.
 * @param {FetchEvent} event
 */
export const fromServer = async (event) => /** @type {Response | undefined} */ (await event.preloadResponse) ?? fetch(event.request);

/** @param {number} milliseconds @returns {Promise<undefined>} */
export const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
