// Calls of the server functions of the editor, for its own scripts.

/**
 * Calls a server function of the editor.
 *
 * @param {string} base @param {string} name @param {object} body @param {AbortSignal} [signal] @returns {Promise<any>}
 */
export async function ask(base, name, body, signal) {
  const headers = { 'content-type': 'application/json', accept: 'application/json' }
  const answer = await fetch(`${base}/fn/${name}`, { method: 'POST', headers, body: JSON.stringify(body), signal })
  const { done, refused, message } = await answer.json().catch(() => ({}))
  if (done !== undefined) return done
  if (answer.status === 401) throw new Error('Your sign-in has ended. Sign in again in another tab, then go on here.')
  throw new Error(refused?.message ?? message ?? 'The server failed; its log says why.')
}

/** What is said about a call that failed. @param {unknown} error */
export function told(error) {
  if (error instanceof TypeError) return 'The server cannot be reached. Try again in a moment.'
  return error instanceof Error ? error.message : String(error)
}
