// A client for the protocol of Dashy's cloud backups, with an endpoint of the user's (docs/spec/behavior.md 17). There is one
// address: `POST` stores a copy and returns its id, `PUT` replaces it, `GET` returns it, `DELETE` deletes it.
//
// The endpoint gets an encrypted copy (./encryption.js) and a proof that the sender knows the password. Neither reveals the
// password: guessing it from the proof is as slow as guessing it from the copy, and the two have different salts.

import { proof } from './encryption.js'
import { t } from '../texts.js'

/** The form of Dashy's ids. */
const ID = /^[0-9a-z]{4}(-[0-9a-z]{4}){3}$/i

/**
 * Sends a request to the endpoint. Returns the body of the response.
 *
 * @param {string} endpoint @param {string} method @param {Record<string, string>} values
 * @returns {Promise<Record<string, any>>}
 * @throws With a message for the person.
 */
async function send(endpoint, method, values) {
  const url = new URL(endpoint)
  const hasBody = method === 'POST' || method === 'PUT'
  if (!hasBody) for (const [name, value] of Object.entries(values)) url.searchParams.set(name, value)
  /** @type {Response} */
  let response
  try {
    response = await fetch(url, {
      method,
      ...hasBody ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(values) } : {},
      cache: 'no-store',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
    })
  } catch {
    throw new Error(t('`{host}` cannot be reached. It has to answer, and to allow this page in `Access-Control-Allow-Origin`.', { host: url.host }))
  }
  const answer = await response.json().catch(() => ({}))
  const said = typeof answer?.errorMsg === 'string' && answer.errorMsg || typeof answer?.message === 'string' && !response.ok && answer.message
  if (said) throw new Error(t('`{host}` says: {text}', { host: url.host, text: said }))
  if (!response.ok) throw new Error(t('`{host}` answers {status}. Check the id and the password.', { host: url.host, status: response.status }))
  return answer ?? {}
}

/** @param {string} id */
function checked(id) {
  const trimmed = id.trim()
  if (!ID.test(trimmed)) throw new Error(t('An id has the form `xxxx-xxxx-xxxx-xxxx`.'))
  return trimmed
}

/**
 * Stores an encrypted copy, or replaces the one with an id. Returns its id.
 *
 * @param {string} endpoint @param {string} copy @param {string} password @param {string} id Empty for a new copy.
 */
export async function store(endpoint, copy, password, id) {
  const subHash = await proof(password)
  if (id.trim()) {
    const backupId = checked(id)
    await send(endpoint, 'PUT', { userData: copy, subHash, backupId })
    return backupId
  }
  const { backupId } = await send(endpoint, 'POST', { userData: copy, subHash })
  if (typeof backupId !== 'string' || !ID.test(backupId)) throw new Error(t('The endpoint gives no id for the copy, so it could not be found again. Check that it speaks the protocol of Dashy’s backups.'))
  return backupId
}

/**
 * The encrypted copy with an id.
 *
 * @param {string} endpoint @param {string} password @param {string} id
 * @returns {Promise<string>}
 */
export async function load(endpoint, password, id) {
  const backupId = checked(id)
  const { userData } = await send(endpoint, 'GET', { backupId, subHash: await proof(password) })
  // Dashy's own service returns the whole record.
  const copy = userData?.userData ?? userData
  if (typeof copy !== 'string' || !copy) throw new Error(t('The endpoint has no copy with this id and password.'))
  return copy
}

/** Deletes a copy. @param {string} endpoint @param {string} password @param {string} id */
export async function remove(endpoint, password, id) {
  const backupId = checked(id)
  await send(endpoint, 'DELETE', { backupId, subHash: await proof(password) })
}
