// Calls of the editor's server functions (`app/src/editing.rs`, `app/src/editor_files.rs`).

import { t } from '../texts.js'

const unreachable = () => t('The server cannot be reached. Try again in a moment.')

/** A call that failed, with a message for the person. */
export class Rejection extends Error {
  /** @param {string} message @param {string} kind Why: `sign-in`, `forbidden`, `changed`, `invalid`, `missing` or `failed`. */
  constructor(message, kind) {
    super(message)
    this.kind = kind
  }
}

/**
 * Calls a server function.
 *
 * @param {string} base Path prefix of the product. @param {string} name `editor-save` @param {object} args
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>} Its result.
 * @throws {Rejection}
 */
export async function call(base, name, args, signal) {
  const response = await fetch(`${base}/fn/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(args),
    signal,
  }).catch(() => {
    throw new Rejection(unreachable(), 'failed')
  })
  const { done, refused, message } = await response.json().catch(() => ({}))
  if (done !== undefined) return done
  if (refused) throw new Rejection(refused.message, refused.kind)
  if (response.status === 401) throw new Rejection(t('Your sign-in has ended. Sign in again in another tab, then continue here.'), 'sign-in')
  if (response.status < 500 && message) throw new Rejection(message, 'forbidden')
  throw new Rejection(t('The server failed; its log says why.'), 'failed')
}

/** The message for the person about a failure, of a call or of an `import()`. @param {unknown} error */
export function messageOf(error) {
  if (error instanceof TypeError) return unreachable()
  return error instanceof Error ? error.message : String(error)
}
