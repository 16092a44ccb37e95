// Calls of the server functions of the editor (`app/src/editing.rs`) from scripts.

/** What the server refused, in words for the person. */
export class Refusal extends Error {
  /** @param {string} message @param {string} kind Why: `sign-in`, `forbidden`, `changed`, `invalid`, `missing` or `failed`. */
  constructor(message, kind) {
    super(message)
    this.kind = kind
  }
}

/**
 * Calls a function, and gives what it answers.
 *
 * @param {string} base Path prefix of the product. @param {string} name `editor-save` @param {object} args
 * @returns {Promise<any>}
 * @throws {Refusal}
 */
export async function call(base, name, args) {
  const answer = await fetch(`${base}/fn/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(args),
  }).catch(() => {
    throw new Refusal('The server cannot be reached. Try again in a moment.', 'failed')
  })
  const { done, refused, message } = await answer.json().catch(() => ({}))
  if (done !== undefined) return done
  if (refused) throw new Refusal(refused.message, refused.kind)
  if (answer.status === 401) throw new Refusal('Your sign-in has ended.', 'sign-in')
  if (answer.status < 500 && message) throw new Refusal(message, 'forbidden')
  throw new Refusal('The server failed; its log says why.', 'failed')
}
